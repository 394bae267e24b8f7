// Routes of /_emulator/v1 for the history of row changes (contract/history.ts).
import type { Hono } from 'hono'
import { z } from 'zod'
import { HISTORY_OPERATIONS, type RowHistory } from '../../contract/history.ts'
import { parseJson } from '../../core/json.ts'
import type { SchemaName } from '../../core/names.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import { liveProject } from '../api-kit/find-project.ts'
import { type Bindings, mountOnProject } from '../api-kit/mount.ts'
import { lastSequence, readChanges } from './read-history.ts'
import { concernsKey, shownChange } from './show-history.ts'
import { readTimeline } from './timeline.ts'
import { type UndoDeps, undo } from './undo.ts'

export interface HistoryDeps extends UndoDeps {
  readonly projects: ProjectRegistry
  /** Whether this emulator records changes. */
  readonly isRecorded: boolean
}

/** Number of entries in which the changes of one row are searched. */
const MOST_CANDIDATES = 20_000

export function mountHistory(app: Hono<Bindings>, deps: HistoryDeps): void {
  const { engine, isRecorded, projects } = deps
  mountOnProject(app, HISTORY_OPERATIONS, (reference) => liveProject(projects, reference), {
    'GET /projects/:ref/history': async ({ project: { schemaName }, query }) => {
      // Read first, so that a change that is committed meanwhile is read again and not skipped.
      const last = await lastSequence(engine, schemaName)
      const answer = await listChanges(engine, schemaName, query)
      return { is_recorded: isRecorded, ...answer, last_sequence: last }
    },
    'GET /projects/:ref/history/timeline': async ({ project: { schemaName }, query }) => ({
      is_recorded: isRecorded,
      ...(await readTimeline(engine, schemaName, query)),
    }),
    'POST /projects/:ref/undo': ({ body, c, env, project: { schemaName } }) => {
      env.facts.schemaName = schemaName
      return undo(deps, {
        schemaName,
        target: { requestId: body.request_id, transaction: body.transaction, since: body.since },
        applies: body.apply,
        requestId: env.requestId,
        signal: c.req.raw.signal,
      })
    },
  })
}

type HistoryQuery = z.output<(typeof HISTORY_OPERATIONS)['GET /projects/:ref/history']['query']>

async function listChanges(
  engine: HistoryDeps['engine'],
  schemaName: SchemaName,
  query: HistoryQuery,
): Promise<Pick<RowHistory, 'changes' | 'has_more'>> {
  const { after, before, limit, table } = query
  if (limit === 0) return { changes: [], has_more: false }
  const key = query.key === undefined ? undefined : keyParts(query.key)
  const found = await readChanges(engine, schemaName, {
    table,
    requestId: query.request_id,
    before,
    from: after === undefined ? undefined : after + 1,
    containing: (key ?? []).filter((part) => !/["\\]/.test(part)),
    // An update has two entries. Rows of other keys may contain the same texts.
    limit: key === undefined ? 2 * limit + 2 : MOST_CANDIDATES,
  })
  const changes = found.filter(
    (change) =>
      (before === undefined || change.sequence < before) &&
      (after === undefined || change.sequence > after) &&
      (key === undefined || concernsKey(change, key)),
  )
  return {
    changes: changes.slice(0, limit).map(shownChange),
    has_more: changes.length > limit || found.length >= MOST_CANDIDATES / 2,
  }
}

const parts = z.array(
  z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]),
)

/** A key of several columns is a JSON array; any other text is the key itself. */
function keyParts(key: string): readonly string[] {
  if (!key.startsWith('[')) return [key]
  const parsed = parts.safeParse(parseJson(key))
  return parsed.success ? parsed.data : [key]
}
