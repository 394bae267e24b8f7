// Text in shell scripts. Pure.
import type { CommandNode } from './command-tree.ts'

/** Quotes a text for bash and zsh, so that the shell takes it literally. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Returns the lines of a `case` that follows the words to the path of a command. The pattern is the path and the next word. */
export function pathCases(
  nodes: readonly CommandNode[],
  render: (pattern: string, path: string) => string,
): readonly string[] {
  return nodes.flatMap(({ commands, path }) =>
    commands.map(({ name }) => render(`${path} ${name}`, `${path} ${name}`.trim())),
  )
}
