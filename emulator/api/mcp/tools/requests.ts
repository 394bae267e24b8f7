// Tools over the journal: recent requests, and why one was refused.
import { z } from 'zod'
import type { AccessChain, ChainLink, ExplainRequest } from '../../../contract/explain.ts'
import type { JournalEntry } from '../../../contract/journal.ts'
import { Before, Limit, Tenant } from '../inputs.ts'
import { defineTool, type Tool, type ToolDeps, ToolError } from '../tool.ts'

export const recentRequests: Tool = defineTool({
  name: 'recent_requests',
  title: 'List recent requests',
  description:
    'Lists the requests that applications sent to the emulator, newest first, with status, identity and refusal. why_refused explains one of them.',
  input: z.strictObject({
    tenant: Tenant.optional(),
    status: z
      .string()
      .regex(/^[1-5](xx|\d\d)$/)
      .optional()
      .describe('A status such as 404, or a class such as 4xx'),
    refused: z.boolean().default(false).describe('Only requests with status 400 and above'),
    service: z.enum(['data', 'auth', 'storage', 'realtime', 'control']).optional(),
    search: z.string().optional().describe('Text in the path or message'),
    cursor: Before,
    limit: Limit,
  }),
  changes: 'never',
  run: async (deps, { cursor, limit, refused, search, service, status, tenant }) => {
    const { entries } = await deps.calls.call('GET /journal', {
      query: {
        limit: limit + 1,
        before: cursor,
        schema_name: tenant === undefined ? undefined : await schemaOf(deps, tenant),
        from_inspector: 'false',
        refused: refused ? 'true' : undefined,
        search,
        service,
        status,
      },
    })
    return {
      entries:
        entries.length === 0 ? ['No request matches.'] : entries.slice(0, limit).map(requestLine),
      hasMore: entries.length > limit,
      readOn: (shown) => `Continue with "cursor": ${entries[shown - 1]?.sequence ?? 0}.`,
    }
  },
})

// The journal identifies projects by the names of their schemas.
async function schemaOf({ calls }: ToolDeps, tenant: string): Promise<string> {
  const { groups, projects } = await calls.call('GET /overview')
  const tenants = groups.flatMap((group) => [...group.tenants, ...group.removed_tenants])
  const all = [...tenants, ...projects]
  const found = all.find((one) => [one.slug, one.schema_name, one.id].includes(tenant))
  if (found !== undefined) return found.schema_name
  throw new ToolError(
    'not_found',
    `There is no tenant ${JSON.stringify(tenant)}.`,
    all.length === 0
      ? 'The emulator has no tenants. Apply a fixture with the tool fixtures.'
      : `There are: ${all.map(({ slug }) => slug).join(', ')}.`,
  )
}

function requestLine(entry: JournalEntry): string {
  const { arrived_at, duration_ms, error_code, error_message, fault, request_id, row_count } = entry
  return [
    `${request_id} ${arrived_at} ${entry.method} ${entry.target} ${entry.status} in ${duration_ms} ms`,
    entry.schema_name ?? '',
    entry.role === null ? '' : `as ${entry.role} ${entry.subject ?? ''}`.trimEnd(),
    row_count === null ? '' : `${row_count} rows`,
    error_code === null ? '' : `${error_code}: ${error_message ?? ''}`,
    fault === null ? '' : `fault ${fault}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}

export const whyRefused: Tool = defineTool({
  name: 'why_refused',
  title: 'Explain a refused request',
  description:
    'Explains why a request was refused or returned nothing: credential, project, role, grant, policy, row. Without "request_id", explains the newest refused request.',
  input: z.strictObject({
    request_id: z.string().optional().describe('As in the header x-request-id'),
  }),
  changes: 'never',
  run: async (deps, { request_id }) => {
    const id = request_id ?? (await newestRefusal(deps))
    const [chain, { entries }] = await Promise.all([
      deps.calls.call('GET /journal/:request_id/chain', { params: { request_id: id } }),
      deps.calls.call('GET /journal', { query: { request_id: id, limit: 1 } }),
    ])
    return { entries: [...entries.map(requestLine), ...chainLines(chain)] }
  },
})

async function newestRefusal({ calls }: ToolDeps): Promise<string> {
  const { refusals } = await calls.call('GET /journal/refusals', { query: { limit: 1 } })
  const id = refusals[0]?.entry.request_id
  if (id !== undefined) return id
  throw new ToolError(
    'not_found',
    'No request was refused yet.',
    'recent_requests lists all requests; give the "request_id" of one.',
  )
}

function chainLines(chain: AccessChain): readonly string[] {
  const { basis, changed_since, explain, links, request_id, sentence, suggested_fix } = chain
  const held = links.filter(({ state }) => state === 'holds').map(({ link }) => link)
  return [
    sentence,
    ...(held.length === 0 ? [] : [`In order: ${held.join(', ')}.`]),
    ...links.filter(({ state }) => state === 'broken').map((link) => brokenLine(link, sentence)),
    ...(basis === null ? [] : [basis]),
    ...changed_since.map((change) => change.sentence),
    ...(suggested_fix === null ? [] : [`Possible fix: ${suggested_fix}`]),
    ...(explain === null ? [] : [`Next: ${nextQuestion(explain, request_id)}`]),
  ]
}

// Omits the sentence of the broken link when the text of the whole chain already contains the sentence.
function brokenLine({ facts, link, sentence, title }: ChainLink, said: string): string {
  const known = Object.entries(facts).map(([name, value]) => `${name} ${value}`)
  return [
    `Broken: ${link}, ${title}.`,
    said.includes(sentence) ? '' : sentence,
    known.length === 0 ? '' : `(${known.join('; ')})`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function nextQuestion({ command, new_row, relation }: ExplainRequest, requestId: string): string {
  const row = new_row === undefined ? '' : `, new_row ${JSON.stringify(new_row)}`
  return `explain_rows with table ${relation}, command ${command}, identity request:${requestId}${row}`
}
