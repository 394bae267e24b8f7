// Builds the command line that starts npm scripts, shims and plain programs on the current system. Pure.

export interface CommandLine {
  readonly file: string
  readonly args: readonly string[]
  /** True on Windows, where the arguments are already quoted. */
  readonly isVerbatim: boolean
}

/** On Windows only the command interpreter (cmd.exe) can start `.cmd` files such as `npm` and `npx`. */
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

// Quotes an argument for the C runtime, then escapes the characters that cmd.exe would interpret.
function quotedForWindows(argument: string): string {
  if (/^[\w./:\\=@+-]+$/.test(argument)) return argument
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`
  return quoted.replace(/[()%!^"<>&|;, ]/g, '^$&')
}
