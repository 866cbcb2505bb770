// Where the thread and the core find what replays past calls.
import type { CreateReplayer } from '../pastCalls';
import { createReplayer as create } from '../replay/createReplayer';

export const createReplayer: CreateReplayer = create;
