// Connects fixtures to the foundation and the control plane.
import type { IdentityDeps } from '../api-kit/identities.ts'
import { createAuthTables } from '../auth/auth-tables.ts'
import type { ControlDeps } from '../control/deps.ts'
import { createRowReader } from '../database/row-reader.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import { createFixtures, type Fixtures } from '../fixtures/fixtures.ts'
import type { EventFeed } from '../journal/live/event-feed.ts'
import type { StepStructures } from '../migrations/drift/step-structures.ts'
import { addressesOf } from '../server/hosts.ts'
import { chooseIdentities } from '../visibility/choose-identities.ts'
import type { Foundation } from './open-foundation.ts'

export interface FixtureParts {
  readonly control: ControlDeps
  readonly feed: EventFeed
  readonly faults: FaultBook
  readonly identities: IdentityDeps
  readonly stepStructures: StepStructures
}

export function openFixtures(
  foundation: Foundation,
  { control, faults, feed, identities, stepStructures }: FixtureParts,
): Fixtures {
  const { engine, authSettings, revokedUsers, storage, developer, clock, wallClock } = foundation
  const addresses = addressesOf(foundation.config.publicUrl ?? 'http://127.0.0.1')
  return createFixtures({
    ...control,
    engine,
    rehearsals: foundation.rehearsals,
    reader: createRowReader(engine),
    auth: { tables: createAuthTables(engine, clock), settings: authSettings, revokedUsers },
    storage,
    faults: {
      armed: () => faults.list(),
      arm: (orders) => {
        faults.armFaults(orders)
      },
    },
    identities: (project) => chooseIdentities(identities, project, addresses),
    stepTexts: foundation.stepTexts,
    stepStructures,
    store: foundation.fixtures,
    steps: foundation.steps,
    bases: foundation.bases,
    developer,
    clock,
    wallClock,
    tell: (event) => feed.tell(() => event),
  })
}
