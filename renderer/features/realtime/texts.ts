// This file holds all texts of the realtime screen, so that you can review them together. Pure.
import type { JudgedChange, RealtimeConnectionEvent } from '../../../emulator/contract/realtime.ts'
import { countOf } from '../../ui/form-values.ts'
import type { RealtimeView } from './realtime-search.ts'

export const VIEWS: Readonly<Record<RealtimeView, string>> = {
  changes: 'Changes',
  connections: 'Connections',
  try: 'Test channels',
}

export const EVENTS: Readonly<Record<JudgedChange['event'], string>> = {
  INSERT: 'INSERT',
  UPDATE: 'UPDATE',
  DELETE: 'DELETE',
}

export const INCIDENTS: Readonly<Record<RealtimeConnectionEvent['change'], string>> = {
  closed: 'socket closed',
  refused: 'channel refused',
  frameDropped: 'frame dropped',
}

export const EMPTY = {
  changes: {
    title: 'No changes yet',
    detail: 'Row changes appear here while a channel is subscribed to their table.',
  },
  chosen: {
    title: 'No change selected',
    detail: 'Select a change to see its subscribers, and whether each received it.',
  },
  deleted: {
    title: 'Change no longer available',
    detail: 'The emulator keeps only the newest changes. Select another one.',
  },
  subscribers: { title: 'No subscribers', detail: 'No channel was subscribed to this table.' },
  connections: {
    title: 'No connections',
    detail: 'Connections of applications appear here with their channels.',
  },
  channels: {
    title: 'No test channels',
    detail:
      'Join as one user, choose another under “Act as” and join again. “Change a row” joins as all users at once.',
  },
  row: 'The row is too large to record.',
} as const

export const JOIN = {
  owner: 'Realtime has no owner. Choose a user, anon or claims under “Act as” at the top.',
  another: 'Joined channels stay when you act as another identity.',
} as const

export const PROBLEMS = {
  requestIdentity:
    'Can’t join as the identity of a request: the emulator did not record its token. Choose the request’s user instead.',
  addresses: 'The addresses of the emulator are still loading. Try again.',
  handshake: 'The server refused the handshake. The Requests screen shows the reason.',
} as const

export function noMatchText(kept: number): string {
  return `None of the ${kept} kept changes matches the filters.`
}

export function joinUsersLabel(users: number, hasMore: boolean): string {
  if (users === 0) return 'Join as anon'
  return hasMore
    ? `Join as anon and the newest ${users} users`
    : `Join as anon and ${countOf(users, 'user')}`
}
