// A project's end users: who there is, one in full, and what can be done with them.
import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import type { MintPrincipalAnswer, MintPrincipalRequest } from '../../emulator/contract/tokens.ts'
import type {
  NewProjectUser,
  ProjectUser,
  ProjectUserDeleted,
  ProjectUserDetail,
  ProjectUserPage,
  UserSessionsEnded,
} from '../../emulator/contract/users.ts'
import { deleteJson, getJson, patchJson, postJson } from './client.ts'

const PAGE = 100

/** Newest first, further pages on demand; what is on the screen stays while another search runs. */
export function useUsers(
  project: string,
  search: string,
): UseInfiniteQueryResult<InfiniteData<ProjectUserPage>> {
  return useInfiniteQuery({
    queryKey: ['users', project, 'list', search],
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      getJson<ProjectUserPage>(usersPath(project), {
        query: { limit: PAGE, offset: pageParam, search: search === '' ? undefined : search },
        signal,
      }),
    getNextPageParam: ({ total }, pages) => {
      const read = pages.reduce((sum, { users }) => sum + users.length, 0)
      return read < total ? read : undefined
    },
  })
}

export function useUser(project: string, id: string): UseQueryResult<ProjectUserDetail> {
  return useQuery({
    queryKey: ['users', project, 'one', id],
    queryFn: ({ signal }) => getJson<ProjectUserDetail>(userPath(project, id), { signal }),
  })
}

/** No message is sent. @throws {ApiError} */
export function createUser(project: string, user: NewProjectUser): Promise<ProjectUser> {
  return postJson<ProjectUser>(usersPath(project), user)
}

/** `until` is ISO 8601; `null` lifts the ban. @throws {ApiError} */
export function banUser(project: string, id: string, until: string | null): Promise<ProjectUser> {
  return patchJson<ProjectUser>(userPath(project, id), { banned_until: until })
}

/** @throws {ApiError} */
export function deleteUser(project: string, id: string): Promise<ProjectUserDeleted> {
  return deleteJson<ProjectUserDeleted>(userPath(project, id))
}

/** One session, or all of them. @throws {ApiError} */
export function endSessions(
  project: string,
  id: string,
  session: string | undefined,
): Promise<UserSessionsEnded> {
  const one = session === undefined ? '' : `/${encodeURIComponent(session)}`
  return deleteJson<UserSessionsEnded>(`${userPath(project, id)}/sessions${one}`)
}

/** A token that acts as the user. @throws {ApiError} */
export function signInAs(project: string, user: string): Promise<MintPrincipalAnswer> {
  const order: MintPrincipalRequest = { project, role: 'authenticated', user }
  return postJson<MintPrincipalAnswer>('/principals', order)
}

function usersPath(project: string): string {
  return `/projects/${encodeURIComponent(project)}/users`
}

function userPath(project: string, id: string): string {
  return `${usersPath(project)}/${encodeURIComponent(id)}`
}
