// suggest_fix: SQL that lets an identity reach a row, narrowest first, with what it opens to whom; or what given SQL opens.
import { z } from 'zod'
import { identityNamed } from '../../../contract/identities.ts'
import type { FixEffect, SuggestedFix } from '../../../contract/suggested-fixes.ts'
import { Cells, Identity, Tenant } from '../inputs.ts'
import { defineTool, type Tool, ToolError } from '../tool.ts'

export const suggestFix: Tool = defineTool({
  name: 'suggest_fix',
  title: 'Suggest a fix',
  description:
    'Suggests policies, grants or values that let an identity reach a row, the narrowest first, and measures which rows each opens to whom. With "sql", measures that SQL instead. Everything is rolled back.',
  input: z.strictObject({
    tenant: Tenant,
    table: z.string(),
    identity: Identity,
    command: z.enum(['select', 'insert', 'update', 'delete']).default('select'),
    key: Cells.optional().describe('Primary key of the row, as explain_rows shows it'),
    new_row: z
      .record(z.string(), z.json())
      .optional()
      .describe('insert: the row. update: the columns that change'),
    sql: z.string().optional().describe('Statements to measure'),
  }),
  changes: 'never',
  run: async ({ calls }, { command, identity, key, new_row, sql, table, tenant }) => {
    const params = { ref: tenant }
    const question = {
      relation: table,
      identity: identityNamed(identity),
      command,
      ...(new_row === undefined ? {} : { new_row }),
    }
    if (sql !== undefined) {
      const body = { ...question, sql }
      const effect = await calls.call('POST /projects/:ref/explain/fix-effect', { params, body })
      return { entries: effectLines(effect) }
    }
    if (key === undefined && command !== 'insert')
      throw new ToolError(
        'invalid_input',
        'A suggestion needs the row that the identity should reach.',
        'Give "key" with the primary key of the row. explain_rows lists the keys.',
      )
    const body = { ...question, key: key ?? {} }
    const answer = await calls.call('POST /projects/:ref/explain/suggested-fixes', { params, body })
    const { advice, suggested_fixes } = answer
    return {
      ...(advice === null ? {} : { tail: advice }),
      entries:
        suggested_fixes.length === 0
          ? ['No narrow fix was found.']
          : suggested_fixes.map((fix, index) => fixLines(fix, index + 1)),
    }
  },
})

function fixLines({ effect, sql, title }: SuggestedFix, number: number): string {
  return [`${number}. ${title}`, sql, `Opens to ${effect.opens_to}. ${effect.sentence}`].join('\n')
}

function effectLines({ changes, notes, opens_to, sentence }: FixEffect): readonly string[] {
  return [
    `Opens to ${opens_to}. ${sentence}`,
    ...changes.map(
      ({ command, gained, identity, lost, table }) =>
        `${identity}: ${command} on ${table}, ${gained} rows gained, ${lost} lost`,
    ),
    ...notes,
  ]
}
