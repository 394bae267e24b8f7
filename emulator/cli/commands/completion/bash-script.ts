// The completion script of bash 3.2 and newer, which macOS has. Pure.
import type { CommandNode, Values } from './command-tree.ts'
import { pathCases, quoted } from './shell-text.ts'

/** @param program name of the command that the script completes */
export function bashScript(program: string, nodes: readonly CommandNode[]): string {
  return `# bash completion of ${program}. "${program} completion bash" prints this script.
_${program}() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" at='' i
  # bash splits --option=value into three words.
  if [[ $current == '=' ]]; then current=''
  elif [[ $before == '=' ]]; then before="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} == '--' ]]; then
      if [[ $before == '--' ]]; then COMPREPLY=($(compgen -c -- "$current"))
      else _${program}_paths -f; fi
      return
    fi
    case "$at \${COMP_WORDS[i]}" in
${pathCases(nodes, (pattern, path) => `      ${quoted(pattern)}) at=${quoted(path)} ;;`).join('\n')}
    esac
  done
  case "$at $before" in
${nodes.flatMap(valueCases(program)).join('\n')}
  esac
  case "$at" in
${nodes.map(nodeCase(program)).join('\n')}
  esac
}
_${program}_paths() {
  compopt -o filenames 2> /dev/null
  COMPREPLY=($(compgen "$1" -- "$current"))
}
complete -F _${program} ${program}
`
}

function valueCases(program: string) {
  return ({ options, path }: CommandNode): readonly string[] =>
    options.flatMap(({ name, short, values }) => {
      if (values === undefined) return []
      const patterns = [name, ...(short === undefined ? [] : [short])]
      return [
        `    ${patterns.map((flag) => quoted(`${path} ${flag}`)).join(' | ')}) ${offerOf(program, values)}; return ;;`,
      ]
    })
}

function nodeCase(program: string) {
  return ({ argument, commands, options, path }: CommandNode): string => {
    const flags = offerWords(options.map(({ name }) => name))
    const others =
      commands.length > 0
        ? offerWords(commands.map(({ name }) => name))
        : offerOf(program, argument)
    return `    ${quoted(path)}) if [[ $current == -* ]]; then ${flags}; else ${others}; fi ;;`
  }
}

function offerOf(program: string, values: Values): string {
  switch (values.kind) {
    case 'choices':
      return offerWords(values.choices)
    case 'folders':
      return `_${program}_paths -d`
    case 'files':
      return `_${program}_paths -f`
    case 'none':
      return 'COMPREPLY=()'
    default:
      return values satisfies never
  }
}

function offerWords(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W $'${words.join('\\n')}' -- "$current"))`
}
