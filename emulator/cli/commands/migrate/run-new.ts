// Runs `tenantry migrate new`: creates an empty step, or with `--from-changes` the step that contains what changed in the template.
import { existsSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import type { GeneratedStep, StepRename } from '../../../contract/drift.ts'
import { SystemClock } from '../../../core/clock.ts'
import { printable } from '../../../core/printable.ts'
import { createStep, readSources } from '../../../workflow/migrations/steps/step-files.ts'
import { askAtTerminal } from '../../ask-at-terminal.ts'
import { counted } from '../../report.ts'
import { type EmulatorAddress, emulatorOf } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import { groupOf } from './targets.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface NewOptions extends EmulatorAddress {
  readonly dir: string
  readonly fromChanges: boolean
  readonly group: string | undefined
  readonly allowDestructive: boolean
  readonly rename: readonly StepRename[]
  readonly dropAndAdd: boolean
}

/** Prints which step was created, and sets the exit code. @throws {EmulatorError} */
export async function runNew(name: string, options: NewOptions): Promise<void> {
  if (options.fromChanges) await createFromChanges(name, options)
  else terminal().stdout.write(`Created ${create(name, options, undefined)}.\n`)
}

function create(name: string, { dir }: NewOptions, sql: string | undefined): string {
  const text = sql && `-- ${name.trim().replaceAll('\n', ' ')}\n\n${sql}`
  return createStep(dir, name, new SystemClock().now(), text)
}

async function createFromChanges(name: string, options: NewOptions): Promise<void> {
  const emulator = emulatorOf(options)
  const group = await groupOf(emulator, options.group)
  const steps = existsSync(options.dir) ? [...readSources(options.dir)] : []
  const generate = (renames: readonly StepRename[]): Promise<GeneratedStep> =>
    emulator.call('POST /groups/:group/migrations/generate', {
      params: { group },
      body: { steps, allow_destructive: options.allowDestructive, renames: [...renames] },
    })
  const generated = await withRenames(generate, options)
  if (generated === undefined) return
  if (generated.statements === 0) {
    terminal().stdout.write(`${generatedLines(generated)}\n`)
    if (generated.held_back > 0 || generated.not_generated.length > 0) terminal().exitCode = 1
    return
  }
  const path = create(name, options, generated.sql)
  try {
    const recorded = [...readSources(options.dir)]
    const [version = ''] = basename(path).split('_', 1)
    await emulator.call('POST /groups/:group/migrations/record', {
      params: { group },
      body: { steps: recorded, version },
    })
  } catch (error) {
    // Without its record, the next "migrate apply" would run the step in the template, which has the changes already.
    rmSync(path, { force: true })
    throw error
  }
  terminal().stdout.write(
    `Created ${path} and recorded it in the template, which has the changes already.\n${generatedLines(generated)}\n`,
  )
}

/** Returns the generated step. When renames are undecided, lists their candidates and returns `undefined`. */
async function withRenames(
  generate: (renames: readonly StepRename[]) => Promise<GeneratedStep>,
  { dropAndAdd, rename }: NewOptions,
): Promise<GeneratedStep | undefined> {
  if (dropAndAdd) return generate(rename)
  const settled = await settleRenames({ generate, ask: askAtTerminal }, rename)
  if (settled.kind === 'settled') return settled.step
  terminal().stdout.write(`${candidateLines(settled.candidates)}\n`)
  terminal().exitCode = 1
  return undefined
}

// Decides for `tenantry migrate new --from-changes` which pairs of a dropped and an added object are one renamed object.
interface RenameQuestions {
  /** Generates the step with these renames. */
  readonly generate: (renames: readonly StepRename[]) => Promise<GeneratedStep>
  /** Asks the user. Returns `undefined` when the user cannot answer. */
  readonly ask: (question: string) => Promise<string | undefined>
}

type SettledRenames =
  | { readonly kind: 'settled'; readonly step: GeneratedStep }
  /** The user did not answer a question, so these candidates are undecided. */
  | { readonly kind: 'open'; readonly candidates: readonly StepRename[] }

/** Asks about each candidate once. An accepted rename can lead to more candidates, such as columns of a renamed table. */
export async function settleRenames(
  { ask, generate }: RenameQuestions,
  given: readonly StepRename[],
): Promise<SettledRenames> {
  const renames = [...given]
  const declined = new Set<string>()
  for (;;) {
    const step = await generate(renames)
    const open = step.rename_candidates.filter((one) => !declined.has(renameText(one)))
    const [candidate] = open
    if (candidate === undefined) return { kind: 'settled', step }
    const { from, kind, to } = candidate
    const answer = await ask(`Was the ${kind} ${from} renamed to ${to}? [y/n] `)
    if (answer === undefined) return { kind: 'open', candidates: open }
    if (/^y(es)?$/i.test(answer.trim())) renames.push(candidate)
    else declined.add(renameText(candidate))
  }
}

function generatedLines(generated: GeneratedStep): string {
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
function candidateLines(candidates: readonly StepRename[]): string {
  return [
    'These objects may be renamed ones. No step was created. Run the command again with:',
    ...candidates.map((candidate) => `  --rename ${renameText(candidate)}`),
    'or with --drop-and-add, which drops the old objects and adds the new ones.',
  ]
    .map(printable)
    .join('\n')
}

/** Returns a rename in the format of the option `--rename`. */
function renameText({ from, kind, to }: StepRename): string {
  return `${from}=${kind === 'table' ? to : to.slice(to.lastIndexOf('.') + 1)}`
}
