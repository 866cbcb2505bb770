import { z } from 'zod';

export const PermissionMode = z.enum(['default', 'plan', 'acceptEdits', 'bypassPermissions', 'dontAsk', 'auto']);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** Names and one-line meanings for people. */
export const permissionModes: Readonly<Record<PermissionMode, { readonly label: string; readonly meaning: string }>> = {
  default: { label: 'Default', meaning: 'Reads run; everything else asks unless a rule allows it.' },
  acceptEdits: { label: 'Accept edits', meaning: 'File edits inside the folder run without asking.' },
  plan: { label: 'Plan', meaning: 'Only reads run; nothing is changed until you leave this mode.' },
  bypassPermissions: { label: 'Bypass', meaning: 'Runs everything that no deny or ask rule stops.' },
  dontAsk: { label: "Don't ask", meaning: 'What would ask is denied.' },
  auto: { label: 'Auto', meaning: 'A model judges what would ask; where it is not sure, you are asked.' },
};
