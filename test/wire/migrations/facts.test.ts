// The two facts about every project of a fleet, steps and differences. Fleet, status and command line show the same facts after
// random operations.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differencesText, stepsText } from '../../../emulator/contract/fact-words.ts'
import type { ProjectFacts } from '../../../emulator/contract/project-facts.ts'
import { temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { ask } from '../../support/fixture-folder.ts'
import {
  fleetDriftOf,
  fleetOf,
  groupWith,
  migrate,
  NOTES,
  type StepText,
  surveyFleet,
} from '../../support/migrations.ts'
import {
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestGroup,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const folder = temporaryFolder()
let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

/** Step number `number`, which adds a column. */
const stepOf = (number: number): StepText => ({
  file: `2026010${number + 2}000000_column_${number}.sql`,
  sql: `alter table notes add column step_${number} int;\n`,
})

const ACTIONS = ['alter', 'alter_template', 'apply', 'publish', 'provision', 'revert'] as const
type Action = (typeof ACTIONS)[number]

/** A fleet, and the operations that changed it. */
class History {
  readonly group: TestGroup
  readonly steps: StepText[] = [NOTES]
  readonly tenants: string[]
  /** Tenants with a column that was added by hand. */
  readonly altered = new Set<string>()
  /** Tenants that were cloned from an altered template before a new version was published. */
  readonly besides = new Set<string>()
  #isTemplateAltered = false
  #isPublished = false

  constructor(group: TestGroup, tenants: readonly string[]) {
    this.group = group
    this.tenants = [...tenants]
  }

  get name(): string {
    return this.group.templateSlug
  }

  async do(action: Action): Promise<void> {
    const [first = '', second = ''] = this.tenants
    if (action === 'alter' && !this.altered.has(first)) {
      await ask(at, first, 'alter table notes add column by_hand int')
      this.altered.add(first)
    }
    if (action === 'revert' && this.altered.delete(first))
      await ask(at, first, 'alter table notes drop column by_hand')
    if (action === 'alter_template' && !this.#isTemplateAltered) {
      await ask(at, this.name, 'alter table notes add column beside int')
      this.#isTemplateAltered = true
    }
    if (action === 'apply') {
      this.steps.push(stepOf(this.steps.length))
      await migrate(at, this.name, 'apply', { steps: this.steps, tenants: [second] })
    }
    if (action === 'publish') {
      this.#isPublished = true
      await at.call('POST', `/groups/v1/${this.group.id}/template/publish`, {
        credential: this.group.key,
      })
    }
    if (action === 'provision') {
      const slug = `${this.name}_${this.tenants.length}`
      await provisionTenant(at, this.group, slug)
      this.tenants.push(slug)
      if (this.#isTemplateAltered && !this.#isPublished) this.besides.add(slug)
    }
  }

  /** Writes the steps into a folder for the command line. */
  folderOfSteps(): string {
    const path = join(folder.path, this.name)
    mkdirSync(path, { recursive: true })
    for (const { file, sql } of this.steps) writeFileSync(join(path, file), sql)
    return path
  }
}

async function historyOf(name: string, actions: readonly Action[]): Promise<History> {
  const tenants = [`${name}_a`, `${name}_b`]
  const history = new History(await groupWith(at, name, tenants), tenants)
  for (const action of actions) await history.do(action)
  return history
}

type Facts = Readonly<Record<string, ProjectFacts>>

function factsOf({ template, tenants, versions }: Json): Facts {
  return Object.fromEntries(
    [template, ...versions, ...tenants].map(({ facts, slug }: Json) => [slug, facts]),
  )
}

/** Returns the facts of every project. Fails unless fleet, status, report of drift and command line show the same facts. */
async function factsEverywhere({ name, steps }: History): Promise<Facts> {
  await migrate(at, name, 'status', { steps })
  const facts = factsOf(await surveyFleet(at, name))
  expect(factsOf(await migrate(at, name, 'status', { steps }))).toEqual(facts)
  return facts
}

async function expectFromCommandLine(history: History, facts: Facts): Promise<void> {
  const target = ['--url', at.url, '--group', history.name, '--dir', history.folderOfSteps()]
  const printed = await runCli(['migrate', 'status', '--check', ...target]).ended
  for (const [slug, { differences, steps }] of Object.entries(facts)) {
    const line = printed.stdout.split('\n').find((one) => one.includes(` ${slug} `)) ?? ''
    expect(line).toContain(`steps: ${stepsText(steps)}`)
    expect(line).toContain(`structure: ${differencesText(differences)}`)
  }
  const { stdout } = await runCli(['migrate', 'status', '--check', '--json', ...target]).ended
  expect(factsOf(JSON.parse(stdout))).toEqual(facts)
}

const HISTORIES = fc.sample(fc.array(fc.constantFrom(...ACTIONS), { minLength: 4, maxLength: 7 }), {
  seed: 20_261_128,
  numRuns: 3,
})

describe('the facts of a fleet', () => {
  it.each(
    HISTORIES.map((actions, index) => [actions.join(', '), `random_${index}`, actions] as const),
  )('are the same in fleet, status and command line after %s', async (_, name, actions) => {
    const history = await historyOf(name, actions)
    const facts = await factsEverywhere(history)
    await expectFromCommandLine(history, facts)
    for (const slug of history.tenants) {
      const { differences } = await fleetDriftOf(at, name, slug)
      expect([slug, differences.map((one: Json) => one.name)]).toEqual([
        slug,
        [
          ...(history.besides.has(slug) ? ['notes.beside'] : []),
          ...(history.altered.has(slug) ? ['notes.by_hand'] : []),
        ],
      ])
      expect(facts[slug]?.differences.count).toBe(differences.length)
    }
  })

  it('compare a published version and its new tenants with the version’s own structure, not with the steps', async () => {
    const history = await historyOf('frozen', ['alter_template', 'publish', 'provision', 'apply'])
    const [, second = '', fresh = ''] = history.tenants
    const facts = await factsEverywhere(history)
    expect(facts[history.name]?.differences).toMatchObject({ count: 1, compared_with: 'steps' })
    for (const slug of ['frozen_v2', fresh])
      expect(facts[slug]?.differences).toMatchObject({ count: 0, compared_with: 'frozen_v2' })
    expect(facts[fresh]?.steps).toEqual({ ran: 1, pending: 1, problem: null })
    expect(facts[second]?.differences).toMatchObject({ count: 0, compared_with: 'steps' })
    // After the next step, a tenant of the version still has no differences from the version.
    await migrate(at, 'frozen', 'apply', { steps: history.steps, tenants: [fresh] })
    const after = await factsEverywhere(history)
    expect(after[fresh]).toEqual({
      steps: { ran: 2, pending: 0, problem: null },
      differences: { state: 'checked', count: 0, compared_with: 'frozen_v2' },
    })
  })

  it('contain no number of differences before a structure is compared', async () => {
    const { name, tenants } = await historyOf('early', [])
    const facts = factsOf(await fleetOf(at, name))
    for (const slug of tenants)
      expect(facts[slug]).toEqual({
        steps: { ran: 1, pending: 0, problem: null },
        differences: { state: 'not_checked', count: null, compared_with: null },
      })
  })
})
