// Routes of /_emulator/v1 that read the journal (contract/journal.ts).
import type { Hono } from 'hono'
import { JOURNAL_OPERATIONS, type JournalConditionsQuery } from '../../contract/journal.ts'
import { type Bindings, mount } from '../api-kit/mount.ts'
import type { Journal } from './journal.ts'
import type { JournalConditions } from './journal-filter.ts'
import { measureRoutes } from './measure-routes.ts'

export function mountJournal(
  app: Hono<Bindings>,
  { journal }: { readonly journal: Journal },
): void {
  mount(app, JOURNAL_OPERATIONS, {
    'GET /journal': ({ query: { limit, ...conditions } }) => ({
      entries: journal.read({ limit, ...conditionsOf(conditions) }),
    }),
    'GET /journal/facets': ({ query }) => journal.facets(conditionsOf(query)),
    'GET /journal/routes': ({ query: { limit, ...conditions } }) =>
      measureRoutes(journal.measured(conditionsOf(conditions)), limit),
  })
}

function conditionsOf({
  request_id: requestId,
  schema_name: schemaName,
  from_inspector: fromInspector,
  ...others
}: JournalConditionsQuery): JournalConditions {
  const all = { ...others, requestId, schemaName, fromInspector }
  const present = Object.entries(all).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(present) as JournalConditions
}
