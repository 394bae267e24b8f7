// Lists, checks, applies and exports fixtures.
import type { UseQueryResult } from '@tanstack/react-query'
import type {
  FixtureList,
  FixtureReport,
  QueryFolder,
  StepFolder,
  WrittenQuery,
} from '../../emulator/contract/fixtures.ts'
import { ApiError, call, callWithFile } from './client.ts'
import { useOperation } from './use-operation.ts'

export function useFixtures(): UseQueryResult<FixtureList> {
  return useOperation('GET /fixtures', ['fixtures'], {})
}

/** Checks a fixture without applying it. `fixture` is a listed name or the absolute path of a folder. @throws {ApiError} */
export function checkFixture(fixture: string): Promise<FixtureReport> {
  return call('POST /fixtures/check', { body: { fixture } })
}

/** Applies the whole fixture, or nothing when it has problems. The report lists these problems. @throws {ApiError} */
export async function applyFixture(fixture: string): Promise<FixtureReport> {
  try {
    return await call('POST /fixtures/apply', { body: { fixture } })
  } catch (error) {
    // A check returns the report that explains why the apply request was refused.
    if (error instanceof ApiError && error.status === 422) return checkFixture(fixture)
    throw error
  }
}

/** Applies the save that `tenantry dev` holds back, and loses the rows that its report names. @throws {ApiError} */
export async function rebuildFollowed(): Promise<void> {
  await call('POST /fixtures/followed/rebuild', {})
}

/**
 * Returns a fixture folder as a gzipped tar. `groups` contains names of groups. An empty list exports all groups.
 * @throws {ApiError}
 */
export async function exportFixture(groups: readonly string[]): Promise<Blob> {
  const query = { groups: groups.length === 0 ? undefined : groups.join(',') }
  return (await callWithFile('GET /fixtures/export', { query })).blob()
}

/** Loads the folder of migration steps that a project follows. */
export function useStepFolder(project: string): UseQueryResult<StepFolder> {
  return useOperation('GET /projects/:ref/steps', ['fixtures', 'steps', project], {
    params: { ref: project },
  })
}

/** Loads the saved queries of the folder that `tenantry dev` follows. */
export function useQueries(project: string): UseQueryResult<QueryFolder> {
  return useOperation('GET /projects/:ref/queries', ['fixtures', 'queries', project], {
    params: { ref: project },
  })
}

export interface SavedQuery {
  readonly name: string
  readonly sql: string
  /** Whether an existing file may be replaced. */
  readonly replace: boolean
}

/** Saves a query as a file in the folder that `tenantry dev` follows. @throws {ApiError} */
export function saveQuery(project: string, query: SavedQuery): Promise<WrittenQuery> {
  return call('POST /projects/:ref/queries', { params: { ref: project }, body: query })
}
