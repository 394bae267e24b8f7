// The completion script of fish. Pure.
import type { CommandNode, Values } from './command-tree.ts'
import { pathCases } from './shell-text.ts'

/** @param program name of the command that the script completes */
export function fishScript(program: string, nodes: readonly CommandNode[]): string {
  return `# fish completion of ${program}. "${program} completion fish" prints this script.
function __${program}_at
  set -l words (commandline -opc)
  set -l at ''
  for word in $words[2..-1]
    if test "$word" = --
      return 1
    end
    switch "$at $word"
${pathCases(nodes, (pattern, path) => `      case ${quoted(pattern)}\n        set at ${quoted(path)}`).join('\n')}
    end
  end
  test "$at" = "$argv[1]"
end
function __${program}_after
  contains -- -- (commandline -opc)
end
complete -c ${program} -e
complete -c ${program} -f
complete -c ${program} -n __${program}_after -F
${nodes.flatMap((node) => linesOf(program, node)).join('\n')}
`
}

function linesOf(program: string, node: CommandNode): readonly string[] {
  const begin = `complete -c ${program} -n ${quoted(`__${program}_at ${quoted(node.path)}`)}`
  const commands = node.commands.map(
    ({ description, name }) => `${begin} -a ${name} -d ${quoted(description)}`,
  )
  const options = node.options.map(({ description, name, short, values }) => {
    const flags = `-l ${name.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`
    return `${begin} ${flags}${offerOf(values)} -d ${quoted(description)}`
  })
  const { argument } = node
  const values =
    argument.kind === 'none' || commands.length > 0 ? [] : [begin + argumentOf(argument)]
  return [...commands, ...values, ...options]
}

function offerOf(values: Values | undefined): string {
  if (values === undefined) return ''
  if (values.kind === 'none') return ' -x'
  return values.kind === 'files' ? ' -r -F' : ` -x${argumentOf(values)}`
}

function argumentOf(values: Values): string {
  switch (values.kind) {
    case 'choices':
      return ` -a ${quoted(values.choices.join(' '))}`
    case 'folders':
      return ` -a '(__fish_complete_directories)'`
    case 'files':
      return ' -F'
    case 'none':
      return ''
    default:
      return values satisfies never
  }
}

/** Quotes a text for fish, which knows two escapes between single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
