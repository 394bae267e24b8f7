import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createWorkspaces, nameProblem, WorkspaceError } from '../../../main/workspaces.ts'

const newRoot = () => join(mkdtempSync(join(tmpdir(), 'tenantry-')), 'workspaces')

describe('createWorkspaces', () => {
  it('lists opened workspaces first, then its own by name, and leaves out deleted workspaces', () => {
    const root = newRoot()
    const workspaces = createWorkspaces(root)
    const [beta, alpha] = [workspaces.create('Beta'), workspaces.create('Alpha')]
    const foreign = mkdtempSync(join(tmpdir(), 'tenantry-foreign-'))
    const gone = workspaces.create('Gone')
    rmSync(gone, { recursive: true })

    const listed = workspaces.list(
      [foreign, beta, gone].map((folder) => ({ folder, openedAt: '2026-11-21T12:00:00.000Z' })),
    )

    expect(listed.map(({ folder, is_managed }) => [folder, is_managed])).toEqual([
      [foreign, false],
      [beta, true],
      [alpha, true],
    ])
  })

  it('copies everything but the lock', () => {
    const root = newRoot()
    const workspaces = createWorkspaces(root)
    const folder = workspaces.create('Demo')
    mkdirSync(join(folder, 'blobs'))
    writeFileSync(join(folder, 'blobs', 'one'), '1')
    writeFileSync(join(folder, 'tenantry.lock'), '{}')

    const copy = workspaces.duplicate(folder, 'Demo copy')

    expect(readdirSync(copy)).toEqual(['blobs'])
    expect(existsSync(join(folder, 'tenantry.lock'))).toBe(true)
  })

  it('refuses a used name even with other upper or lower case', () => {
    const workspaces = createWorkspaces(newRoot())
    workspaces.create('Demo')

    expect(() => workspaces.create('demo')).toThrow(WorkspaceError)
  })
})

describe('nameProblem', () => {
  it.each(['Demo', 'Praça 2', 'v1.2-beta_3', '日本'])('accepts %s', (name) => {
    expect(nameProblem(name)).toBeUndefined()
  })

  it.each([
    '',
    ' a',
    'a ',
    'a/b',
    'a\\b',
    '..',
    '.hidden',
    'a.',
    'CON',
    'nul.txt',
    'a:b',
    'x'.repeat(61),
    'a\nb',
  ])('says what is wrong with %j', (name) => {
    expect(nameProblem(name)).toMatch(/\.$/)
  })
})
