// Formats what `tenantry migrate new --from-changes` generated. Pure.
import type { GeneratedStep, StepRename } from '../../../contract/drift.ts'
import { printable } from '../../../core/printable.ts'
import { counted } from './migrate-report.ts'

export function generatedLines(generated: GeneratedStep): string {
  const { destroys, held_back: held, not_generated: left, statements } = generated
  const lost = destroys.map(({ reason }) => `  destroys data: ${reason}`)
  return [
    ...(statements > 0
      ? [`The step has ${counted(statements, 'statement')}.`]
      : held + left.length > 0
        ? ['No step was created.']
        : ['The template has no changes since its last step. No step was created.']),
    ...lost,
    ...(held > 0
      ? [
          `${counted(held, 'statement')} left out, because data would be destroyed. --allow-destructive includes them.`,
        ]
      : []),
    ...left.map(({ object, reason }) => `  not generated: ${object}. ${reason}`),
  ]
    .map(printable)
    .join('\n')
}

/** Lists candidates for renames with the options to pass. */
export function candidateLines(candidates: readonly StepRename[]): string {
  return [
    'These objects may be renamed ones. No step was created. Run the command again with:',
    ...candidates.map((candidate) => `  --rename ${renameText(candidate)}`),
    'or with --drop-and-add, which drops the old objects and adds the new ones.',
  ]
    .map(printable)
    .join('\n')
}

/** Returns a rename as the option `--rename` takes it. */
export function renameText({ from, kind, to }: StepRename): string {
  return `${from}=${kind === 'table' ? to : to.slice(to.lastIndexOf('.') + 1)}`
}
