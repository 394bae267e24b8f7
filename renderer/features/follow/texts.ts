// All texts of the screen that follows a user, so that you can review them together. Pure.
import type { ActivityCount } from '../../../emulator/contract/activity.ts'
import type { ActivityKind } from '../../../emulator/contract/choices.ts'
import { formatNumber } from '../../ui/format.ts'

export const KINDS: Readonly<Record<ActivityKind, { readonly one: string; readonly tab: string }>> =
  {
    request: { one: 'Request', tab: 'Requests' },
    message: { one: 'Message', tab: 'Messages' },
    file: { one: 'File', tab: 'Files' },
    change: { one: 'Realtime', tab: 'Realtime' },
  }

export const EMPTY = {
  noUser: {
    title: 'No user chosen',
    detail: 'Choose the user whose requests, messages, files and row changes you want to see.',
  },
  activity: {
    title: 'Nothing yet',
    detail:
      'Requests of the user, messages to the user, uploaded files and row changes appear here as they happen.',
  },
} as const

/** `12`, or `at least 500` when the emulator has dropped old entries. */
export function countText({ count, is_at_least: isAtLeast }: ActivityCount): string {
  return isAtLeast ? `at least ${formatNumber(count)}` : formatNumber(count)
}
