// Connects fixtures to the foundation and the control plane.

import { createRowReader } from '../database/row-reader.ts'
import type { IdentityDeps } from '../insight/api-kit/identities.ts'
import type { FaultBook } from '../insight/faults/fault-book.ts'
import type { EventFeed } from '../insight/journal/live/event-feed.ts'
import { chooseIdentities } from '../insight/visibility/choose-identities.ts'
import { addressesOf } from '../server/hosts.ts'
import { createAuthTables } from '../services/auth/auth-tables.ts'
import type { ControlDeps } from '../services/control/deps.ts'
import { createFixtures, type Fixtures } from '../workflow/fixtures/fixtures.ts'
import type { StepStructures } from '../workflow/migrations/drift/step-structures.ts'
import type { Foundation } from './open-foundation.ts'

export interface FixtureParts {
  readonly control: ControlDeps
  readonly feed: Pick<EventFeed, 'tell'>
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
