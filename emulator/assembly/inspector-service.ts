// Connects the emulator's own API (live events, explanations, tables, faults) to the foundation and the other services.

import type { InspectorDeps } from '../api/emulator-api/app.ts'
import { tellEvents } from '../api/emulator-api/events/tell-events.ts'
import type { FollowedFolder } from '../contract/overview.ts'
import { packageFile } from '../core/package-files.ts'
import { type Answer, toResponse } from '../core/plain-http.ts'
import type { ServiceApp } from '../core/request-env.ts'
import { version } from '../core/version.ts'
import { createRowReader } from '../database/row-reader.ts'
import { loadSqlParser } from '../database/sql-parser.ts'
import { findProject } from '../insight/api-kit/find-project.ts'
import { createAuditNotes } from '../insight/explain/audit/audit-notes.ts'
import { rememberingOverviews } from '../insight/explain/policies/known-overviews.ts'
import { watchChanges } from '../insight/explain/problems/last-changes.ts'
import { createExplainDeps } from '../insight/explain/rows/routes.ts'
import { createFaultBook, type FaultBook } from '../insight/faults/fault-book.ts'
import { pastRequests } from '../insight/faults/past-requests.ts'
import { createRequestProjects } from '../insight/faults/request-projects.ts'
import { createEventFeeds, type EventFeeds } from '../insight/journal/live/event-feeds.ts'
import { createRecorder, type Recordings } from '../insight/journal/recording/recorder.ts'
import { ChangeLog } from '../insight/journal/row-changes/change-log.ts'
import { createExpiries } from '../insight/project-tools/expiries.ts'
import { createProjectSizes } from '../insight/project-tools/project-sizes.ts'
import { connectionOf } from '../insight/project-tools/ready-line.ts'
import { rememberingTables } from '../insight/tables/known-tables.ts'
import type { SigningKeys } from '../platform/credentials/signing-keys.ts'
import type { Edge } from '../server/edge.ts'
import { facingOf } from '../server/fault-gate.ts'
import type { AuthDeps } from '../services/auth/deps.ts'
import { createUserManagement } from '../services/auth/users/manage-users.ts'
import { findUser } from '../services/auth/users/users.ts'
import type { ControlDeps } from '../services/control/deps.ts'
import type { RealtimeService } from '../services/realtime/app.ts'
import { objectsOfOwner } from '../services/storage/objects/objects-of-owner.ts'
import { unfinishedUploads } from '../services/storage/resumable/resumable-store.ts'
import type { Bundles } from '../workflow/bundles/bundles.ts'
import type { Fixtures } from '../workflow/fixtures/fixtures.ts'
import type { StepStructures } from '../workflow/migrations/drift/step-structures.ts'
import type { Snapshots, StatesAround } from '../workflow/snapshots/snapshots.ts'
import { readyDeps } from './control-service.ts'
import { tokenDeps, whyDeps } from './explain-service.ts'
import { migrationServices } from './migration-service.ts'
import type { Foundation } from './open-foundation.ts'

export interface Inspection {
  readonly feed: EventFeeds
  readonly recordings: Recordings
  readonly changes: ChangeLog
  /** The folder that `tenantry dev` follows. */
  readonly watch: Watch
}

interface Watch {
  note(watch: FollowedFolder): void
  read(): FollowedFolder | undefined
}

/** Starts recording what the inspector shows. */
export function openInspection(
  foundation: Foundation,
  faults: Pick<FaultBook, 'onChange'>,
): Inspection {
  const { config, wallClock } = foundation
  const feed = createEventFeeds({ wallClock, version })
  const changes = new ChangeLog()
  const recordings = createRecorder({
    bodies: config.journalBodies,
    refusedBodies: config.journalRefusedBodies,
    timesAll: config.otlp !== false,
    isWatched: () => feed.isWatched,
    onWatched: () => feed.countWatched(),
  })
  foundation.addObserver((observation) => changes.observe(observation))
  foundation.addObserver(tellEvents(feed, { ...foundation, changes, faults }))
  return { feed, recordings, changes, watch: createWatch() }
}

function createWatch(): Watch {
  let last: FollowedFolder | undefined
  return {
    note: (watch) => {
      last = watch
    },
    read: () => last,
  }
}

/** Creates the store of injected faults. */
export function openFaults({ ids, clock, stores, storage }: Foundation): FaultBook {
  const { projects, groups, tenants } = stores
  return createFaultBook({
    ids,
    clock,
    schemaNameOf: (reference) => findProject(projects, reference).schemaName,
    requestProjects: createRequestProjects({
      projects,
      groups,
      tenants,
      buckets: storage.buckets,
    }),
  })
}

/** Parts of other services that the emulator's own API uses. */
export interface InspectorParts {
  readonly auth: AuthDeps
  readonly control: ControlDeps
  /** The data plane, to which the audit sends requests. */
  readonly data: ServiceApp<Answer>
  readonly inspection: Inspection
  readonly realtime: RealtimeService
  readonly faults: FaultBook
  readonly fixtures: Fixtures
  readonly snapshots: Snapshots & StatesAround
  readonly bundles: Bundles
  readonly stepStructures: StepStructures
  /** Replayed requests are sent through the edge. */
  readonly edge: Edge
  readonly info: InspectorDeps['info']
}

/** The folders of the pages that browsers load. Reading begins with the first request. */
const PAGES: Pick<InspectorDeps, 'uiFolder' | 'docsFolder'> = {
  uiFolder: packageFile('dist', 'ui'),
  docsFolder: packageFile('dist', 'docs-site'),
}

/** Creates the dependencies of the emulator's own API. */
export function inspectorDeps(foundation: Foundation, parts: InspectorParts): InspectorDeps {
  const { auth, bundles, data, faults, fixtures, info, inspection, snapshots } = parts
  const { clock, config, engine, journal, lifecycle, mailbox, rehearsals, wallClock } = foundation
  const { projects } = foundation.stores
  const tokens = tokenDeps(foundation, auth, inspection.recordings)
  const { identities } = tokens
  const reader = createRowReader(engine)
  const known = rememberingTables(reader, lifecycle)
  const explain = createExplainDeps(engine, reader, wallClock, known)
  const live = liveDeps(foundation, parts)
  const why = whyDeps(foundation, parts, tokens, explain)
  const notes = createAuditNotes(lifecycle, wallClock)
  const { sizes } = live.overview
  const services = migrationServices(foundation, { ...parts, identities, sizes })
  return {
    adminToken: config.adminToken,
    ...live,
    home: homeDeps(foundation, parts, { audits: notes, drift: services.migrations.drift }),
    projects,
    principals: principalDeps(foundation, parts),
    tokens,
    why,
    explain: {
      projects,
      identities,
      explain,
      findOverview: rememberingOverviews(explain, known, lifecycle),
      rehearsals: foundation.rehearsals,
    },
    audit: {
      projects,
      notes,
      audit: {
        engine,
        reader,
        identities,
        data,
        signingKeys: unlisted(foundation),
        clock,
        wallClock,
        parser: loadSqlParser,
        buckets: foundation.storage.buckets,
        explain,
      },
    },
    tables: { engine, journal, known, lifecycle, projects, identities, reader, rehearsals },
    history: { engine, journal, projects, rehearsals, isRecorded: config.history !== false },
    mailbox,
    authSettings: foundation.authSettings,
    users: createUserManagement(auth),
    s3Keys: foundation.storage.s3.keys,
    buckets: foundation.storage.buckets,
    clock,
    wallClock,
    engine,
    ...PAGES,
    info,
    faults: {
      faults,
      pastRequests: (limit) => pastRequests({ ...live.requests, facingOf }, limit),
    },
    fixtures,
    ...services,
    snapshots,
    bundles,
  }
}

function principalDeps(
  { clock, ids, signingKeys }: Foundation,
  { auth, control }: Pick<InspectorParts, 'auth' | 'control'>,
): InspectorDeps['principals'] {
  return {
    signingKeys,
    projectKeyMint: control.credentials.projectKeys,
    findUser: (schemaName, reference) => findUser(auth.tables, schemaName, reference),
    ids,
    clock,
  }
}

function homeDeps(
  foundation: Foundation,
  { faults }: InspectorParts,
  known: Pick<InspectorDeps['home'], 'audits' | 'drift'>,
): InspectorDeps['home'] {
  const { developer, lifecycle, stores, wallClock } = foundation
  return {
    ...foundation,
    ...known,
    projects: stores.projects,
    ownerId: developer.id,
    faults,
    changes: watchChanges(lifecycle, wallClock),
  }
}

/** Signs the tokens of the audit without adding them to the list of issued tokens and their expiries. */
function unlisted({ issued, signingKeys }: Foundation): Pick<SigningKeys, 'signEs256'> {
  return { signEs256: (claims) => issued.quietly(() => signingKeys.signEs256(claims)) }
}

function liveDeps(
  foundation: Foundation,
  { auth, control, inspection, realtime, edge }: InspectorParts,
): Pick<InspectorDeps, 'feed' | 'requests' | 'overview' | 'realtime' | 'expiries' | 'activity'> {
  const { feed, recordings, changes } = inspection
  const { journal, stores, signingKeys, clock, wallClock, ids, engine, storage, writes } =
    foundation
  const { projects } = stores
  const records = { stores, ownerId: foundation.developer.id }
  const users = createUserManagement(auth)
  const socketsOf = realtime.views
  return {
    feed,
    requests: {
      journal,
      recordings,
      changes,
      replaying: { signingKeys, projects, clock, ids, send: (request) => send(edge, request) },
    },
    expiries: createExpiries({
      ...foundation,
      projects,
      read: auth.tables.read,
      uploads: unfinishedUploads(foundation.db),
    }),
    realtime: { projects, changes, socketsOf, capturedTables: foundation.capturedTables },
    activity: {
      journal,
      mailbox: foundation.mailbox,
      changes,
      filesOf: objectsOfOwner(foundation.db),
      socketsOf,
    },
    overview: {
      version,
      dataDir: foundation.dataDir,
      startedAt: wallClock.now(),
      journal,
      records,
      engine,
      engineStats: () => engine.stats(),
      sizes: createProjectSizes({
        engine,
        wallClock,
        storedBytes: (schemaName) => storage.buckets.storedBytes(schemaName),
        countUsers: async (schemaName) =>
          (await users.list(schemaName, { limit: 1, offset: 0, search: '' })).total,
        versionOf: (schemaName) => writes.of(schemaName),
      }),
      realtimeLoad: () => {
        const sockets = realtime.views()
        const channels = sockets.reduce((sum, socket) => sum + socket.channels.length, 0)
        return { sockets: sockets.length, channels }
      },
      memoryBytes: () => process.memoryUsage.rss(),
      watch: inspection.watch.read,
      connectionOf: (project, { addresses }) =>
        connectionOf(readyDeps(foundation, control), addresses, project),
      wallClock,
    },
  }
}

async function send(
  edge: Edge,
  request: Request,
): Promise<{ readonly requestId: string; readonly response: Response }> {
  let requestId = ''
  const { reply, report } = await edge(request, undefined, (id) => {
    requestId = id
  })
  report()
  return { requestId, response: toResponse(reply) }
}
