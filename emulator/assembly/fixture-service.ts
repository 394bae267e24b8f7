// Connects fixtures to the foundation and the control plane.
import { createAuthTables } from '../auth/auth-tables.ts'
import type { ControlDeps } from '../control/deps.ts'
import { createRowReader } from '../database/row-reader.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import { createFixtures, type Fixtures } from '../fixtures/fixtures.ts'
import type { EventFeed } from '../journal/live/event-feed.ts'
import type { Foundation } from './open-foundation.ts'

export interface FixtureParts {
  readonly control: ControlDeps
  readonly feed: EventFeed
  readonly faults: FaultBook
}

export function openFixtures(
  foundation: Foundation,
  { control, faults, feed }: FixtureParts,
): Fixtures {
  const { engine, authSettings, revokedUsers, storage, developer, clock, wallClock } = foundation
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
    store: foundation.fixtures,
    steps: foundation.steps,
    bases: foundation.bases,
    developer,
    clock,
    wallClock,
    tell: (event) => feed.tell(() => event),
  })
}
