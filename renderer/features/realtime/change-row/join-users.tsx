// Joins test channels as anon and the newest users, so that a change shows which of them receive it.
import { Users } from 'lucide-react'
import type { ReactElement } from 'react'
import type { IdentityReference } from '../../../../emulator/contract/identities.ts'
import { useIdentities } from '../../../api/explain.ts'
import { Button } from '../../../ui/button.tsx'
import { useAction } from '../../../ui/form-action.ts'
import { useJoinChannel } from '../test-channels/join-channel.ts'
import { NEW_JOIN } from '../test-channels/join-draft.ts'
import { isOpen } from '../test-channels/probe-model.ts'
import { useProbes } from '../test-channels/probes.ts'
import { joinUsersLabel } from '../texts.ts'
import { receivers } from './receivers.ts'

/** Shows nothing while test channels of this page subscribe to the table. */
export function JoinUsers(props: {
  readonly tenant: string
  readonly table: string
}): ReactElement | undefined {
  const { tenant, table } = props
  const { data } = useIdentities(tenant)
  const join = useJoinChannel(tenant)
  const hasJoined = useProbes().some(
    (probe) =>
      probe.tenant === tenant &&
      isOpen(probe) &&
      probe.order.bindings.some((binding) => binding.table === table),
  )
  const { mutate, isPending } = useAction({
    work: (identities: readonly IdentityReference[]) =>
      Promise.all(identities.map((identity) => join(identity, { ...NEW_JOIN, table }))),
    stale: [['realtime', tenant]],
    failure: 'Could not join',
  })
  if (data === undefined || hasJoined) return undefined
  const { identities, users, hasMore } = receivers(data)
  return (
    <Button icon={<Users />} isBusy={isPending} onClick={() => mutate(identities)}>
      {joinUsersLabel(users, hasMore)}
    </Button>
  )
}
