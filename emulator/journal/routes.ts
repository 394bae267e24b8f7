// GET /_emulator/v1/journal and /journal/facets (contract/journal.ts).
import type { Hono } from 'hono'
import { z } from 'zod'
import { type Bindings, decodeQuery } from '../api-kit/decode.ts'
import type { JournalFacets, JournalPage } from '../contract/journal.ts'
import type { Journal } from './journal.ts'
import type { JournalConditions } from './journal-filter.ts'

const LIMIT = { default: 100, max: 1_000 }

const sequence = z.coerce.number().int().min(0)

/** `404`, or `4xx` for all of them. */
const status = z
  .string()
  .regex(/^[1-5](xx|\d\d)$/, 'must be a status such as 404, or a class such as 4xx')
  .transform((text) => {
    const from = Number(text.replace('xx', '00'))
    return { from, to: text.endsWith('xx') ? from + 99 : from }
  })

const conditionsShape = {
  before: sequence.optional(),
  after: sequence.optional(),
  request_id: z.string().optional(),
  schema_name: z.string().optional(),
  service: z.string().optional(),
  method: z
    .string()
    .transform((text) => text.toUpperCase())
    .optional(),
  status: status.optional(),
  role: z.string().optional(),
  search: z.string().max(1_000).optional(),
}

/** Query of GET /journal. */
export const journalQuery = z.object({
  ...conditionsShape,
  limit: z.coerce.number().int().min(1).max(LIMIT.max).default(LIMIT.default),
})

/** Query of GET /journal/facets. */
export const facetsQuery = z.object(conditionsShape)

export function mountJournal(
  app: Hono<Bindings>,
  { journal }: { readonly journal: Journal },
): void {
  app.get('/journal', (c) => {
    const { limit, ...conditions } = decodeQuery(c, journalQuery)
    const entries = journal.read({ limit, ...conditionsOf(conditions) })
    return c.json({ entries } satisfies JournalPage)
  })
  app.get('/journal/facets', (c) => {
    const facets = journal.facets(conditionsOf(decodeQuery(c, facetsQuery)))
    return c.json(facets satisfies JournalFacets)
  })
}

function conditionsOf({
  request_id: requestId,
  schema_name: schemaName,
  ...others
}: z.output<typeof facetsQuery>): JournalConditions {
  const all = { ...others, requestId, schemaName }
  const present = Object.entries(all).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(present) as JournalConditions
}
