// `tenantry completion`: the scripts, tried in the shells themselves. A shell that is not installed skips its tests.
// cspell:ignore zpty
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { type CliRun, runCli } from '../../support/cli-run.ts'

type Shell = 'bash' | 'zsh' | 'fish'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const scriptOf = async (shell: Shell): Promise<string> =>
  (await (runCli(['completion', shell]) satisfies CliRun).ended).stdout

function hasShell(shell: Shell): boolean {
  return spawnSync(shell, ['--version']).error === undefined
}

/** What a shell offers after these words, the last of which is not complete. */
const OFFERS: Readonly<Record<Shell, (file: string, words: readonly string[]) => string>> = {
  bash: (file, words) =>
    execFileSync('bash', [
      ...['--norc', '--noprofile', '-c'],
      `source ${file}
       COMP_WORDS=(tenantry "$@"); COMP_CWORD=$#; COMP_LINE="tenantry $*"; COMP_POINT=\${#COMP_LINE}
       $(complete -p tenantry | sed -E 's/.*-F ([^ ]+).*/\\1/') tenantry "\${!#}" ''
       printf '%s\\n' "\${COMPREPLY[@]}"`,
      ...['bash', ...words],
    ]).toString(),
  fish: (file, words) =>
    execFileSync('fish', [
      ...['--no-config', '-c'],
      `source ${file}; complete -C ${JSON.stringify(['tenantry', ...words].join(' '))}`,
    ]).toString(),
  // zsh completes only in its line editor, so the test types into a pseudo terminal (zsh/zpty) and presses Tab twice.
  zsh: (file, words) => {
    const driver = join(folder.path, 'drive.zsh')
    writeFileSync(
      driver,
      `zmodload zsh/zpty
       zpty shell 'PS1=READY zsh -f -i'
       typed() { zpty -w shell "$1" }
       seen() { zpty -r -m shell text "*$1*"; print -r -- "$text" }
       typed 'autoload -U compinit; compinit -D -u; setopt no_beep; zstyle ":completion:*" list-prompt ""; LISTMAX=9999; source ${file}; bindkey "^I" complete-word; print LOA""DED'
       seen 'LOADED*READY' > /dev/null
       zpty -w -n shell "$1"$'\\t\\t'
       zpty -w -n shell $'\\C-u'
       typed 'print EN""DED'
       seen ENDED`,
    )
    return execFileSync('zsh', ['-f', driver, ['tenantry', ...words].join(' ')], {
      timeout: 20_000,
    }).toString()
  },
}

describe.each(['bash', 'zsh', 'fish'] as const)('tenantry completion %s', (shell) => {
  const file = join(folder.path, `tenantry.${shell}`)
  beforeAll(async () => {
    writeFileSync(file, await scriptOf(shell))
  })
  const offers = (...words: readonly string[]): string => OFFERS[shell](file, words)
  const missing = hasShell(shell) ? '' : ` (skipped: no ${shell} here)`

  it.skipIf(missing !== '')(`offers commands${missing}`, () => {
    const offered = offers('do')
    expect(offered).toContain('doctor')
    expect(offered).not.toContain('migrate')
  })

  it.skipIf(missing !== '')(`offers the commands below a command${missing}`, () => {
    const offered = offers('migrate', 're')
    expect(offered).toContain('rehearse')
    expect(offered).not.toContain('record')
  })

  it.skipIf(missing !== '')(`offers the options of a command${missing}`, () => {
    const offered = offers('migrate', 'rehearse', '--ten')
    expect(offered).toContain('--tenants')
    expect(offered).not.toContain('--engine')
  })

  it.skipIf(missing !== '')(`offers the values of an option with choices${missing}`, () => {
    const offered = offers('start', '--log', 're')
    expect(offered).toContain('refusals')
    expect(offered).toContain('requests')
    expect(offered).not.toContain('errors')
  })

  it.skipIf(missing !== '')(`completes after an option with a value${missing}`, () => {
    expect(offers('start', '--port', '7000', '--eng')).toContain('--engine')
  })
})

it('names the shells for another one', async () => {
  const { code, stderr } = await runCli(['completion', 'tcsh']).ended
  expect(code).toBe(1)
  expect(stderr).toContain('bash, zsh, fish')
})
