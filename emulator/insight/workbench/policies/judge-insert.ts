// Judges the row that an INSERT would add. A default such as `auth.uid()` gives each identity a row of its own.
import type { DraftMatrix } from '../../../contract/policy-drafts.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import type { ResolvedIdentity } from '../../api-kit/identities.ts'
import { METHODS, timeLeft } from '../../explain/rows/evaluate.ts'
import { judgeCells, type MatrixOrder } from '../../explain/rows/explain-matrix.ts'
import type { ExplainDeps } from '../../explain/rows/explain-rows.ts'
import { makeNewRows, type NewRow } from '../../explain/rows/make-new-rows.ts'
import type { SecuredTable } from '../../tables/table.ts'

type Cell = DraftMatrix['rows'][number]['cells'][number]['now']

/** The text of each identity's new row, or why Postgres cannot make it, in the order of the identities. */
export type NewRowTexts = readonly (string | InspectorError)[]

/** @throws {InspectorError} when Postgres makes a row of these values for none of the identities */
export async function newRowTexts(
  { engine, wallClock }: ExplainDeps,
  identities: readonly ResolvedIdentity[],
  table: SecuredTable,
  newRow: NewRow,
): Promise<NewRowTexts> {
  const evaluation = { engine, table, method: METHODS.insert, timeLeft: timeLeft(wallClock) }
  const texts: (string | InspectorError)[] = []
  for (const { principal } of identities)
    texts.push(
      await makeNewRows({ ...evaluation, principal }, newRow, undefined).then(
        ([text = '()']) => text,
        (error: unknown) => {
          if (error instanceof InspectorError) return error
          throw error
        },
      ),
    )
  const [first] = texts
  if (first instanceof InspectorError && texts.every((text) => text instanceof InspectorError))
    throw first
  return texts
}

/** Returns one verdict for each identity, by the policies of `table`. */
export async function judgeInsert(
  explain: ExplainDeps,
  order: Pick<MatrixOrder, 'relation' | 'identities'>,
  table: SecuredTable,
  { newRow, texts }: { readonly newRow: NewRow; readonly texts: NewRowTexts },
): Promise<readonly Cell[]> {
  const cells = new Map<ResolvedIdentity, Cell>()
  for (const text of new Set(texts.filter((one) => typeof one === 'string'))) {
    const identities = order.identities.filter((_, index) => texts[index] === text)
    const asked = { relation: order.relation, command: 'insert', identities } as const
    const written = Object.keys(newRow)
    const [row = []] = await judgeCells(explain, { ...asked, written }, table, [text])
    for (const [index, identity] of identities.entries()) {
      const cell = row[index]
      if (cell !== undefined) cells.set(identity, cell)
    }
  }
  return order.identities.map((identity, index) => {
    const text = texts[index]
    const reason = text instanceof InspectorError ? `error: ${text.message}` : 'not judged'
    return cells.get(identity) ?? { allowed: false, reason }
  })
}
