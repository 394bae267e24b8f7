// How a command is started on this system so that npm's scripts, shims and plain programs all work. Pure.

export interface CommandLine {
  readonly file: string
  readonly args: readonly string[]
  /** Windows: the arguments are quoted already. */
  readonly isVerbatim: boolean
}

/** On Windows only its command interpreter starts `.cmd` files, which is what `npm` and `npx` are. */
export function commandLine(
  command: readonly string[],
  platform: NodeJS.Platform,
  interpreter = 'cmd.exe',
): CommandLine {
  const [file = '', ...args] = command
  if (platform !== 'win32') return { file, args, isVerbatim: false }
  const line = command.map(quotedForWindows).join(' ')
  return { file: interpreter, args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true }
}

// First as the C runtime splits a command line, then each character that the interpreter itself would read is escaped.
function quotedForWindows(argument: string): string {
  if (/^[\w./:\\=@+-]+$/.test(argument)) return argument
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`
  return quoted.replace(/[()%!^"<>&|;, ]/g, '^$&')
}
