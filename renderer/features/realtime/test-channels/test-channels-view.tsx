// Joins test channels as the identity of the context bar, and shows what each channel sends and receives.
import { LogIn, LogOut, Satellite } from 'lucide-react'
import type { ReactElement } from 'react'
import type { IdentityReference } from '../../../../emulator/contract/identities.ts'
import type { RealtimeChannel } from '../../../../emulator/contract/realtime.ts'
import { useTables } from '../../../api/tables.ts'
import { useActingAs } from '../../../parts/acting-as.ts'
import { identityLabel } from '../../../parts/identity-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Form, type FormState, useForm } from '../../../ui/form.tsx'
import { optionsOf } from '../../../ui/form-values.ts'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { EMPTY, EVENTS, JOIN } from '../texts.ts'
import { useJoinChannel } from './join-channel.ts'
import { type JoinDraft, joiningIdentity, NEW_JOIN } from './join-draft.ts'
import { ProbeCard } from './probe-card.tsx'
import { isOpen, type Probe } from './probe-model.ts'
import { endProbe } from './probes.ts'

const EVENT_OPTIONS = optionsOf<RealtimeChannel['bindings'][number]['event']>({
  '*': 'any change',
  ...EVENTS,
})

/** The value of the option "no table". No table has a single space as its name. */
const NO_TABLE = ' '

export function TestChannelsView(props: {
  readonly tenant: string
  readonly probes: readonly Probe[]
}): ReactElement {
  const { tenant, probes } = props
  return (
    <div className="flex min-h-0 flex-1">
      <aside
        aria-label="New test channel"
        className="flex w-80 shrink-0 max-md:w-64 flex-col overflow-auto border-r bg-surface-1 p-4"
      >
        <JoinForm tenant={tenant} />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col gap-4 overflow-auto p-4">
        {probes.length === 0 ? (
          <EmptyState icon={<Satellite />} {...EMPTY.channels} />
        ) : (
          <>
            {probes.length > 1 && (
              <Button
                icon={<LogOut />}
                className="shrink-0 self-end"
                onClick={() => probes.forEach(endProbe)}
              >
                {probes.some(isOpen) ? 'Leave' : 'Remove'} {probes.length} channels
              </Button>
            )}
            <ul aria-label="Test channels" className="flex flex-col gap-4">
              {probes.toReversed().map((probe) => (
                <ProbeCard key={probe.id} probe={probe} />
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}

function JoinForm({ tenant }: { readonly tenant: string }): ReactElement {
  const { identity } = useActingAs()
  const joining = joiningIdentity(identity)
  const form = useJoinForm(tenant, joining)
  const { draft, edit, field } = form
  return (
    <Form
      form={form}
      label="New test channel"
      action="Join channel"
      icon={<LogIn />}
      failure="Could not join the channel"
    >
      <p className="text-ink-dim">
        Joins as <span className="font-strong text-ink">{identityLabel(joining)}</span>.{' '}
        {identity === null ? JOIN.owner : JOIN.another}
      </p>
      <TextField
        {...field('topic')}
        label="Channel"
        isMono
        {...(draft.isPrivate ? { hint: `Joined as proj_${tenant}:${draft.topic}` } : {})}
      />
      <Checkbox
        label="Private to this project"
        isChecked={draft.isPrivate}
        onChange={(isPrivate) => edit({ isPrivate })}
      />
      <Checkbox
        label="Track presence"
        isChecked={draft.isPresent}
        onChange={(isPresent) => edit({ isPresent })}
      />
      <TableFields tenant={tenant} form={form} />
    </Form>
  )
}

function TableFields(props: {
  readonly tenant: string
  readonly form: FormState<JoinDraft, void>
}): ReactElement {
  const { tenant, form } = props
  const { draft, edit, field } = form
  const { data } = useTables(tenant)
  const tables = (data?.tables ?? []).filter((table) => table.kind === 'table' && !table.is_closed)
  return (
    <>
      <Select
        label="Row changes of"
        hasPrefix
        value={draft.table === '' ? NO_TABLE : draft.table}
        options={[
          { value: NO_TABLE, label: 'no table' },
          ...tables.map(({ name }) => ({ value: name, label: name })),
        ]}
        onChange={(table) => edit({ table: table === NO_TABLE ? '' : table })}
      />
      {draft.table !== '' && (
        <>
          <Select {...field('event')} label="Event" hasPrefix options={EVENT_OPTIONS} />
          <TextField {...field('filter')} label="Filter" isMono placeholder="doctor_id=eq.2" />
        </>
      )}
    </>
  )
}

function useJoinForm(tenant: string, identity: IdentityReference): FormState<JoinDraft, void> {
  const join = useJoinChannel(tenant)
  return useForm({
    initial: NEW_JOIN,
    read: (draft) =>
      draft.topic.trim() === '' ? { kind: 'wrong', problems: {} } : { kind: 'ready', order: draft },
    send: (draft: JoinDraft) => join(identity, draft),
  })
}
