import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import { trusted } from '../../../emulator/core/names.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { openSystemDb } from '../../../emulator/database/system-db/system-db.ts'
import { REGISTRY_MIGRATIONS } from '../../../emulator/database/system-db/system-schema.ts'
import { mayBecome, type ProjectState } from '../../../emulator/platform/projects/project.ts'
import { createProjectRegistry } from '../../../emulator/platform/projects/registry.ts'

function createRegistry() {
  const db = openSystemDb({ file: undefined, migrations: [REGISTRY_MIGRATIONS] })
  return createProjectRegistry(db, {
    ids: new SeededIdSource('registry'),
    clock: new ManualClock(epochMillis(1_000)),
  })
}

const draft = (slug: string) =>
  ({ slug: trusted.slug(slug), name: slug, kind: 'project', planTier: 'pro' }) as const

describe('mayBecome', () => {
  it.each<[ProjectState, ProjectState, boolean]>([
    ['reserved', 'active', true],
    ['active', 'deleted', true],
    ['deleted', 'purging', true],
    ['purging', 'purged', true],
    ['deleted', 'active', false],
    ['purged', 'active', false],
    ['reserved', 'deleted', false],
  ])('for %s to %s returns %s', (from, to, allowed) => {
    expect(mayBecome(from, to)).toBe(allowed)
  })
})

describe('project registry', () => {
  it('reserves a slug once', () => {
    const registry = createRegistry()
    registry.reserve(draft('shop'))
    expect(() => registry.reserve(draft('shop'))).toThrow(
      expect.objectContaining({ code: 'slug_taken' }),
    )
  })

  it('allows a released slug again', () => {
    const registry = createRegistry()
    registry.release(registry.reserve(draft('shop')).id)
    expect(registry.reserve(draft('shop')).state).toBe('reserved')
  })

  it('does not release the slug of an activated project', () => {
    const registry = createRegistry()
    const { id } = registry.reserve(draft('shop'))
    registry.activate(id)
    registry.release(id)
    expect(registry.findProject(id)?.state).toBe('active')
  })

  it('keeps the slug of a purged project for ever', () => {
    const registry = createRegistry()
    const { id } = registry.reserve(draft('shop'))
    registry.activate(id)
    registry.startPurge(id)
    registry.finishPurge(id)
    expect(registry.isSlugTaken('shop')).toBe(true)
  })

  it('refuses a transition that is not allowed', () => {
    const registry = createRegistry()
    const { id } = registry.reserve(draft('shop'))
    expect(() => registry.finishPurge(id)).toThrow(
      expect.objectContaining({ code: 'illegal_transition' }),
    )
  })

  it('finds a project by its schema', () => {
    const registry = createRegistry()
    const { id } = registry.reserve(draft('shop'))
    expect(registry.findProjectBySchema(trusted.schemaName('proj_shop'))?.id).toBe(id)
  })

  it('finds no project when the schema name lacks the prefix proj_', () => {
    const registry = createRegistry()
    registry.reserve(draft('shop'))
    expect(registry.findProjectBySchema(trusted.schemaName('shop'))).toBeUndefined()
  })

  it('raises the key version by one', () => {
    const registry = createRegistry()
    const { id } = registry.reserve(draft('shop'))
    expect(registry.raiseKeyVersion(id).keyVersion).toBe(2)
  })

  it('keeps a switch armed until it is disarmed', () => {
    const registry = createRegistry()
    const { id } = registry.reserve(draft('shop'))
    registry.switches.arm(id, 'purge_pending')
    registry.switches.arm(id, 'provision_fails')
    registry.switches.disarm(id, 'provision_fails')
    expect(registry.switches.armed(id)).toEqual(['purge_pending'])
  })
})
