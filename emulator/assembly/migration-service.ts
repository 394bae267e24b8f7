// Connects the routes of migrations, rehearsals, drift and the fleet to the foundation and the control plane.

import { loadStructureInParts } from '../database/template/structure.ts'
import type { IdentityDeps } from '../insight/api-kit/identities.ts'
import type { ProjectSizes } from '../insight/project-tools/project-sizes.ts'
import type { ControlDeps } from '../services/control/deps.ts'
import { type ChangeDeps, type Changes, createChanges } from '../workflow/changes/changes.ts'
import type { Fixtures } from '../workflow/fixtures/fixtures.ts'
import { createDriftReader } from '../workflow/migrations/drift/drift.ts'
import type { StepStructures } from '../workflow/migrations/drift/step-structures.ts'
import { createRehearsalNotes } from '../workflow/migrations/fleet/rehearsal-notes.ts'
import type { FleetRouteDeps } from '../workflow/migrations/fleet/routes.ts'
import type { RehearsalRouteDeps } from '../workflow/migrations/rehearse/routes.ts'
import type { Foundation } from './open-foundation.ts'

/** Parts of other services that migrations use. */
export interface MigrationParts {
  readonly control: ControlDeps
  readonly identities: IdentityDeps
  readonly sizes: ProjectSizes
  readonly stepStructures: StepStructures
}

/** Number of requests in which lint searches for clients that use a renamed or dropped name. */
const READ_REQUESTS = 5_000

/** What the routes of migrations and changes need. */
export function migrationServices(
  foundation: Foundation,
  parts: MigrationParts & {
    readonly fixtures: Pick<Fixtures, 'followedBy' | 'misfit'>
    readonly snapshots: ChangeDeps['snapshots']
  },
): { readonly migrations: FleetRouteDeps & RehearsalRouteDeps; readonly changes: Changes } {
  const { fixtures, snapshots } = parts
  const migrations = migrationDeps(foundation, parts, fixtures)
  const { stepTexts } = foundation
  return { migrations, changes: createChanges({ migrations, fixtures, snapshots, stepTexts }) }
}

function migrationDeps(
  foundation: Foundation,
  { control, identities, sizes, stepStructures }: MigrationParts,
  { misfit }: Pick<Fixtures, 'misfit'>,
): FleetRouteDeps & RehearsalRouteDeps {
  const { bases, developer, engine, journal, lifecycle, rehearsals, steps, wallClock } = foundation
  return {
    ...control,
    developer,
    engine,
    rehearsals,
    identities,
    wallClock,
    steps,
    bases,
    stepStructures,
    drift: createDriftReader({
      loadStructure: (schemaName, options) => loadStructureInParts(engine, schemaName, options),
      lifecycle,
      stepStructures,
      wallClock,
    }),
    notes: createRehearsalNotes(lifecycle),
    sizes,
    misfit,
    lastRequests: () => journal.lastRequests(),
    recordedReads: () =>
      journal
        .read({ service: 'data', refused: false, fromInspector: false, limit: READ_REQUESTS })
        .map(({ arrived_at: at, method, target }) => ({ at, method, target })),
  }
}
