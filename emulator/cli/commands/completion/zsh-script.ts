// The completion script of zsh, for `source` and for a file `_tenantry` in a folder of completions. Pure.
import type { CommandNode, Completed, Values } from './command-tree.ts'
import { pathCases, quoted } from './shell-text.ts'

/** @param program name of the command that the script completes */
export function zshScript(program: string, nodes: readonly CommandNode[]): string {
  return `#compdef ${program}
# zsh completion of ${program}. "${program} completion zsh" prints this script.
_${program}() {
  local before="\${words[CURRENT-1]}" at='' i
  local -a offered
  for ((i = 2; i < CURRENT; i++)); do
    if [[ \${words[i]} == '--' ]]; then
      if [[ $before == '--' ]]; then _command_names; else _files; fi
      return
    fi
    case "$at \${words[i]}" in
${pathCases(nodes, (pattern, path) => `      ${quoted(pattern)}) at=${quoted(path)} ;;`).join('\n')}
    esac
  done
  if [[ $PREFIX == --*=* ]]; then
    before="\${PREFIX%%=*}"
    compset -P '*='
  fi
  case "$at $before" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${nodes.map(nodeCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _${program} ]]; then _${program} "$@"; else compdef _${program} ${program}; fi
`
}

function valueCases({ options, path }: CommandNode): readonly string[] {
  return options.flatMap(({ name, short, values }) => {
    if (values === undefined) return []
    const patterns = [name, ...(short === undefined ? [] : [short])]
    return [
      `    ${patterns.map((flag) => quoted(`${path} ${flag}`)).join(' | ')}) ${offerOf(values)}; return ;;`,
    ]
  })
}

function nodeCase({ argument, commands, options, path }: CommandNode): string {
  const others = commands.length > 0 ? describe('command', commands) : offerOf(argument)
  return [
    `    ${quoted(path)})`,
    `      if [[ $PREFIX == -* ]]; then ${describe('option', options)}`,
    `      else ${others}; fi ;;`,
  ].join('\n')
}

function offerOf(values: Values): string {
  switch (values.kind) {
    case 'choices':
      return `compadd -- ${values.choices.map(quoted).join(' ')}`
    case 'folders':
      return '_files -/'
    case 'files':
      return '_files'
    case 'none':
      return '_message value'
    default:
      return values satisfies never
  }
}

// In _describe, a colon ends the name.
function describe(kind: 'command' | 'option', offered: readonly Completed[]): string {
  const items = offered.map(({ description, name }) =>
    quoted(`${name}:${description.replaceAll('\\', '\\\\').replaceAll(':', '\\:')}`),
  )
  return `offered=(${items.join(' ')}); _describe ${kind === 'option' ? '-o ' : ''}${kind} offered`
}
