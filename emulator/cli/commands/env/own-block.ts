// The block of `tenantry env` in a file that the user owns: only the lines between its two marks are replaced. Pure.
import { EnvironmentError } from './render-environment.ts'

/**
 * Returns the file's text with the block replaced, or added at its end.
 * @param label names the block, so that a file can have one for each prefix
 * @throws {EnvironmentError} when the first mark has no second one
 */
export function withOwnBlock(text: string, label: string, lines: string): string {
  const [begin, end] = [`# >>> ${label}`, `# <<< ${label}`]
  const block = `${begin}\n# Changes between these two lines are replaced.\n${lines}${end}\n`
  const before = text.split(/(?<=\n)/)
  const from = before.findIndex((line) => line.trimEnd() === begin)
  if (from < 0) return `${withEmptyLine(text)}${block}`
  const to = before.findIndex((line, at) => at > from && line.trimEnd() === end)
  if (to < 0)
    throw new EnvironmentError(
      'unwritable_file',
      `The file has no line "${end}" after "${begin}".`,
      'Remove the rest of the block, or add the line after it.',
    )
  return [...before.slice(0, from), block, ...before.slice(to + 1)].join('')
}

function withEmptyLine(text: string): string {
  if (text === '') return ''
  return text.endsWith('\n') ? `${text}\n` : `${text}\n\n`
}
