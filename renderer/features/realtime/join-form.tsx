// Joins a channel with a realtime token minted for the chosen identity.
import { useMutation } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { useInfo } from '../../api/info.ts'
import { useTables } from '../../api/tables.ts'
import { mintToken } from '../../api/tokens.ts'
import { IdentityPicker } from '../../parts/identity-picker.tsx'
import { identityLabel } from '../../parts/identity-text.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type JoinDraft, joinOf, NEW_JOIN, tokenOrderOf } from './join-draft.ts'
import { startProbe } from './probes.ts'

const EVENTS = (['*', 'INSERT', 'UPDATE', 'DELETE'] as const).map((value) => ({
  value,
  label: value === '*' ? 'any change' : value,
}))

/** No table has an empty space for a name. */
const NONE = ' '

export function JoinForm({ tenant }: { readonly tenant: string }): ReactElement {
  const [draft, setDraft] = useState(NEW_JOIN)
  const edit = (members: Partial<JoinDraft>) => setDraft({ ...draft, ...members })
  const join = useJoin(tenant)
  const { data: tables } = useTables(tenant)
  const names = (tables?.tables ?? [])
    .filter((table) => table.kind === 'table' && !table.is_closed)
    .map(({ name }) => name)
  return (
    <form
      aria-label="Join a channel"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        join.mutate(draft)
      }}
    >
      <IdentityPicker
        tenant={tenant}
        label="Join as"
        hasPrefix
        value={draft.identity}
        onChange={(identity) => edit({ identity: identity ?? NEW_JOIN.identity })}
        className="w-full"
      />
      <TextField
        label="Channel"
        isMono
        value={draft.topic}
        onChange={(topic) => edit({ topic })}
        {...(draft.isPrivate ? { hint: `Joined as proj_${tenant}:${draft.topic}` } : {})}
      />
      <Checkbox
        label="Private: this project’s alone"
        isChecked={draft.isPrivate}
        onChange={(isPrivate) => edit({ isPrivate })}
      />
      <Checkbox
        label="Be present"
        isChecked={draft.isPresent}
        onChange={(isPresent) => edit({ isPresent })}
      />
      <Select
        label="Row changes of"
        hasPrefix
        value={draft.table === '' ? NONE : draft.table}
        options={[
          { value: NONE, label: 'no table' },
          ...names.map((value) => ({ value, label: value })),
        ]}
        onChange={(table) => edit({ table: table === NONE ? '' : table })}
      />
      {draft.table === '' ? undefined : (
        <>
          <Select
            label="Event"
            hasPrefix
            value={draft.event}
            options={EVENTS}
            onChange={(event) => edit({ event })}
          />
          <TextField
            label="Filter"
            isMono
            placeholder="doctor_id=eq.2"
            value={draft.filter}
            onChange={(filter) => edit({ filter })}
          />
        </>
      )}
      <Button
        type="submit"
        tone="primary"
        icon={<LogIn aria-hidden="true" />}
        isBusy={join.isPending}
        disabled={draft.topic.trim() === ''}
      >
        Join
      </Button>
      {join.error === null ? undefined : <Failed title="It was not joined" error={join.error} />}
    </form>
  )
}

function useJoin(tenant: string) {
  const { data: info } = useInfo()
  return useMutation({
    mutationFn: async (draft: JoinDraft) => {
      const order = tokenOrderOf(draft.identity, tenant)
      if (info === undefined) throw new Error('The emulator’s addresses are not known yet.')
      if (order === undefined)
        throw new Error('A request’s identity has no token to join with. Choose its user instead.')
      const { token } = await mintToken(order)
      startProbe({
        url: info.realtime_url,
        token,
        tenant,
        identity: identityLabel(draft.identity),
        join: joinOf(draft, `proj_${tenant}`),
      })
    },
  })
}
