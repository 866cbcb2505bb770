// Near misses of rules on hosts, agents, skills, parameters and tool names.
import { formatRule } from '#shared/permissions/rule';
import { starPattern } from '#shared/util/starPattern';
import { type Miss, type NearContext, short } from './explainParts';
import { normaliseHost } from './matchHost';

/** Why a rule on a host misses. */
export function nearHost({ facts, parsed }: NearContext, wanted: string): Miss | null {
  if (facts.toolName !== 'WebFetch') return null;
  const pattern = wanted.toLowerCase();
  const as = (host: string) => formatRule({ tool: parsed.tool, content: `domain:${host}` });
  for (const host of facts.hosts) {
    const part = short(host);
    if (pattern.startsWith('*.') && normaliseHost(pattern.slice(2)) === host)
      return { kind: 'host', part, because: '*. covers names below it, not the name itself.', instead: as(host) };
    if (!pattern.includes('*') && host.endsWith(`.${normaliseHost(pattern)}`))
      return {
        kind: 'host',
        part,
        because: 'It covers this one host, no names below it.',
        instead: as(`*.${pattern}`),
      };
    if (pattern.includes('*') && starPattern(pattern).test(host))
      return {
        kind: 'wildcard',
        part,
        because: 'A star stays within one label of a host name; it does not cross a dot.',
      };
    if (!pattern.includes('*') && host.startsWith(pattern))
      return { kind: 'host', part, because: 'Another host, whose name only begins like this.' };
  }
  return null;
}

/** Why a rule on an agent or skill misses. */
export function nearName({ facts, rule }: NearContext): Miss | null {
  if (rule.kind !== 'name') return null;
  if (rule.tool !== (facts.toolName === 'Task' ? 'Agent' : facts.toolName)) return null;
  const keys = rule.tool === 'Skill' ? ['skill', 'name', 'command'] : ['subagent_type', 'agent', 'name'];
  const values = keys.map((key) => (Object.hasOwn(facts.input, key) ? facts.input[key] : undefined));
  const given = values.find((value) => typeof value === 'string');
  if (typeof given !== 'string') return null;
  const name = given.replace(/^\//, '');
  const part = short(name);
  if (name.toLowerCase() === rule.name.toLowerCase())
    return { kind: 'case', part, because: 'Upper and lower case count.' };
  if (!rule.prefix && name.startsWith(`${rule.name} `))
    return {
      kind: 'moreWords',
      part,
      because: 'It names exactly this; the call has more words.',
      instead: `${rule.tool}(${rule.name} *)`,
    };
  return { kind: 'name', part, because: `It names ${rule.name}.` };
}

/** Why a rule on a parameter misses. */
export function nearParameter({ facts, rule }: NearContext, param: string): Miss | null {
  if (rule.kind !== 'parameter' || rule.tool !== (facts.toolName === 'Task' ? 'Agent' : facts.toolName)) return null;
  const part = facts.toolName;
  const value = Object.hasOwn(facts.input, param) ? facts.input[param] : undefined;
  if (value === undefined)
    return { kind: 'parameter', part, because: `The call leaves ${param} out, and then a rule on it never fits.` };
  if (typeof value === 'object') return { kind: 'parameter', part, because: `${param} is no single value.` };
  return { kind: 'parameter', part, because: `${param} is ${short(JSON.stringify(value) ?? '')} in the call.` };
}

/** Why a rule on a whole tool or MCP server misses. */
export function nearTool({ facts, parsed }: NearContext): Miss | null {
  const wanted = parsed.tool;
  const name = facts.toolName;
  if (wanted.toLowerCase() === name.toLowerCase())
    return { kind: 'case', part: name, because: 'Upper and lower case count.' };
  if (!wanted.startsWith('mcp__') || !name.startsWith('mcp__') || wanted.includes('*')) return null;
  const server = (text: string) => text.split('__')[1] ?? '';
  if (server(wanted) === server(name))
    return { kind: 'name', part: name, because: 'It names another tool of this server.' };
  return server(name).startsWith(server(wanted))
    ? { kind: 'name', part: name, because: 'Another server, whose name only begins like this.' }
    : null;
}
