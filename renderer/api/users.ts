// A project's end users: the list, the details of one user, and changes to users.
import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import type { USER_ORDERS } from '../../emulator/contract/choices.ts'
import type { MintPrincipalAnswer, MintPrincipalRequest } from '../../emulator/contract/tokens.ts'
import type {
  NewProjectUser,
  ProjectUser,
  ProjectUserDeleted,
  ProjectUserDetail,
  ProjectUserPage,
  SignInLink,
  UserSessionsEnded,
} from '../../emulator/contract/users.ts'
import { call } from './client.ts'
import { useOperation } from './use-operation.ts'

const PAGE = 100

/** Parameters of the list. Newest first by default. */
export interface UsersOrder {
  readonly sort: (typeof USER_ORDERS)[number] | undefined
  readonly order: 'asc' | 'desc' | undefined
}

/** Loads users in this order. Further pages load on demand. The query keeps the previous list while a search runs. */
export function useUsers(
  project: string,
  search: string,
  { sort, order }: UsersOrder,
): UseInfiniteQueryResult<InfiniteData<ProjectUserPage>> {
  return useInfiniteQuery({
    queryKey: ['users', project, 'list', search, sort, order],
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      call('GET /projects/:ref/users', {
        params: { ref: project },
        query: {
          limit: PAGE,
          offset: pageParam,
          search: search === '' ? undefined : search,
          sort,
          order,
        },
        signal,
      }),
    getNextPageParam: ({ total }, pages) => {
      const read = pages.reduce((sum, { users }) => sum + users.length, 0)
      return read < total ? read : undefined
    },
  })
}

export function useUser(project: string, id: string): UseQueryResult<ProjectUserDetail> {
  return useOperation('GET /projects/:ref/users/:id', ['users', project, 'one', id], {
    params: { ref: project, id },
  })
}

/** Creates a user. The platform sends no message. @throws {ApiError} */
export function createUser(project: string, user: NewProjectUser): Promise<ProjectUser> {
  return call('POST /projects/:ref/users', { params: { ref: project }, body: user })
}

/** Bans a user until `until` (ISO 8601). `null` lifts the ban. @throws {ApiError} */
export function banUser(project: string, id: string, until: string | null): Promise<ProjectUser> {
  const params = { ref: project, id }
  return call('PATCH /projects/:ref/users/:id', { params, body: { banned_until: until } })
}

/** @throws {ApiError} */
export function deleteUser(project: string, id: string): Promise<ProjectUserDeleted> {
  return call('DELETE /projects/:ref/users/:id', { params: { ref: project, id } })
}

/** Ends one session of the user, or all sessions when no session id is given. @throws {ApiError} */
export function endSessions(
  project: string,
  id: string,
  session: string | undefined,
): Promise<UserSessionsEnded> {
  const params = { ref: project, id }
  if (session === undefined) return call('DELETE /projects/:ref/users/:id/sessions', { params })
  return call('DELETE /projects/:ref/users/:id/sessions/:session', {
    params: { ...params, session },
  })
}

/** Mints a token that acts as the user. @throws {ApiError} */
export function signInAs(project: string, user: string): Promise<MintPrincipalAnswer> {
  const order: MintPrincipalRequest = { project, role: 'authenticated', user }
  return call('POST /principals', { body: order })
}

/** Creates a link that opens an application, once, with a session of the user. @throws {ApiError} */
export function createSignInLink(
  project: string,
  id: string,
  application: string,
): Promise<SignInLink> {
  const params = { ref: project, id }
  const body = { redirect_to: application }
  return call('POST /projects/:ref/users/:id/sign-in-link', { params, body })
}
