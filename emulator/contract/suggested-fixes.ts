// Suggested fixes: changes that would show a row or allow a command. Each fix lists the rows that it opens, by identity.
// cspell:ignore mends
import { z } from 'zod'
import { Relation } from './explain.ts'
import { IdentityReference } from './identities.ts'
import type { OperationTable, Shape } from './operation.ts'
import { Cells, NewRow, RowCommand, ShownCells } from './values.ts'

export const SuggestedFixesRequest = z.strictObject({
  relation: Relation,
  identity: IdentityReference,
  command: RowCommand,
  key: Cells,
  new_row: z.exactOptional(NewRow),
})
export type SuggestedFixesRequest = Shape<typeof SuggestedFixesRequest>

export const FixEffectRequest = z.strictObject({
  sql: z.string().min(1).max(100_000).describe("Statements of the project's owner"),
  relation: Relation.describe('Table whose rows the identity asks for'),
  identity: IdentityReference.describe('Identity for which the statements are a fix'),
  command: RowCommand,
  new_row: z.exactOptional(NewRow),
})
export type FixEffectRequest = Shape<typeof FixEffectRequest>

export const FixChange = z.object({
  table: z.string(),
  command: RowCommand.describe('`select`: the identity sees the rows; otherwise it may write them'),
  identity: z
    .string()
    .describe(
      'Label of the identity; `any other signed-in user` represents everybody who signs in',
    ),
  audience: z.enum(['asker', 'user', 'signed_in', 'anon']),
  gained: z.number().describe('Rows that the identity reaches only afterwards'),
  lost: z.number(),
  changed: z
    .number()
    .describe(
      'Rows of a relation without a key that the identity sees before and after, with other values',
    ),
  example: ShownCells.nullable().describe('One of the gained rows, or else of the lost ones'),
})
export type FixChange = Shape<typeof FixChange>

export const FixEffect = z
  .object({
    opens_to: z
      .enum(['none', 'asker', 'users', 'signed_in', 'anon', 'unknown'])
      .describe(
        'The widest audience that gains rows: the identity that asked, some users, everybody who signs in, or everybody with the public key',
      ),
    cells: z
      .number()
      .nullable()
      .describe('Pairs of a row and an identity that the fix opens; `null` when unknown'),
    sentence: z
      .string()
      .describe('e.g. `Lets ana@example.com see this row. Also lets 2 other users see 3 rows.`'),
    changes: z.array(FixChange),
    identities: z.number().describe('Number of identities that were compared'),
    notes: z.array(z.string()).describe('What was not compared, and why'),
  })
  .describe('Measured: the emulator applies the statements, compares the rows and rolls back')
export type FixEffect = Shape<typeof FixEffect>

export const SuggestedFix = z.object({
  title: z.string().describe('What it does'),
  sql: z.string().describe("A statement that the project's owner can run"),
  exposes_rows: z
    .number()
    .nullable()
    .describe('Number of other rows that the fix would open to this identity; `null` when unknown'),
  changes: z.enum(['policy', 'row', 'grant', 'claims']),
  effect: FixEffect,
})
export type SuggestedFix = Shape<typeof SuggestedFix>

export const SuggestedFixes = z.object({
  suggested_fixes: z
    .array(SuggestedFix)
    .describe('The fix that opens the fewest pairs of row and identity comes first'),
  advice: z
    .string()
    .nullable()
    .describe('What to write instead, when no policy or grant for this row is narrow enough'),
})
export type SuggestedFixes = Shape<typeof SuggestedFixes>

/** Answer of the deprecated path. The answer contains the list twice: under its old and under its new name. */
export const FormerSuggestedFixes = z.object({
  ...SuggestedFixes.shape,
  mends: z.array(SuggestedFix),
})

export const SUGGESTED_FIX_OPERATIONS = {
  'POST /projects/:ref/explain/suggested-fixes': {
    summary: 'Suggests SQL that would show a row, or allow a command.',
    body: SuggestedFixesRequest,
    answer: SuggestedFixes,
  },
  'POST /projects/:ref/explain/fix-effect': {
    summary: 'Measures which rows statements of the owner would open or hide, and to whom.',
    body: FixEffectRequest,
    answer: FixEffect,
  },
  'POST /projects/:ref/explain/mends': {
    summary: 'Works as …/explain/suggested-fixes, under its former path.',
    body: SuggestedFixesRequest,
    answer: FormerSuggestedFixes,
    isDeprecated: true,
  },
} as const satisfies OperationTable
