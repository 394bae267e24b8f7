// Renders the statements of the differ as the text of a migration step.
import type { DiffResult, DiffStatement } from './difference.ts'

export interface RenderOptions {
  /** When true, writes statements that destroy data as statements. Otherwise writes them as comments, with the reason. */
  readonly allowDestructive?: boolean
  /** The comment before the statements that are held back. */
  readonly heldBack?: string
}

/** Returns the text of a step: one paragraph for each statement, then comments about differences without a statement. */
export function renderStep(
  { notGenerated, statements }: Pick<DiffResult, 'notGenerated' | 'statements'>,
  { allowDestructive = false, heldBack = HELD_BACK }: RenderOptions = {},
): string {
  const free = statements.filter(({ isHeldBack }) => !isHeldBack)
  const held = statements.filter(({ isHeldBack }) => isHeldBack)
  const parts = [
    ...free.map((statement) => paragraph(statement)),
    ...(held.length === 0 || allowDestructive
      ? held.map((statement) => paragraph(statement))
      : [commented(heldBack), ...held.map((statement) => commented(paragraph(statement)))]),
    ...notGenerated.map(({ object, reason }) => commented(`Not generated: ${object}. ${reason}`)),
  ]
  return parts.map((part) => `${part}\n`).join('\n')
}

const HELD_BACK = `The statements below destroy data, or need a statement that does. Remove the dashes of all of them to run them.`

function paragraph({ destroys, sql }: DiffStatement): string {
  const statement = `${sql};`
  return destroys === undefined ? statement : `-- Destroys data: ${destroys}\n${statement}`
}

function commented(text: string): string {
  return text
    .split('\n')
    .map((line) => `-- ${line}`)
    .join('\n')
}
