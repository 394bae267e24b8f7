// Makes a user without any message being sent.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { UserRoundPlus } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { createUser } from '../../api/users.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { EMPTY_DRAFT, type NewUserDraft, orderOf } from './new-user-draft.ts'

export interface NewUserSheetProps {
  readonly tenant: string
  readonly onMade: (id: string) => void
  readonly onClose: () => void
}

export function NewUserSheet({ tenant, onMade, onClose }: NewUserSheetProps): ReactElement {
  const queries = useQueryClient()
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const edit = (members: Partial<NewUserDraft>) => setDraft({ ...draft, ...members })
  const outcome = orderOf(draft)
  const problemOf = (field: keyof NewUserDraft) =>
    outcome.kind === 'wrong' && outcome.field === field ? outcome.problem : undefined
  const create = useMutation({
    mutationFn: async () => {
      if (outcome.kind === 'wrong') throw new TypeError('nothing to make')
      return createUser(tenant, outcome.order)
    },
    onSuccess: async (user) => {
      showToast({ title: 'User made', detail: user.email ?? user.phone, tone: 'allowed' })
      onMade(user.id)
      await queries.invalidateQueries({ queryKey: ['users', tenant] })
      await queries.invalidateQueries({ queryKey: ['identities', tenant] })
    },
  })
  return (
    <Sheet
      title={`New user of ${tenant}`}
      label="New user"
      name="user"
      width={440}
      onClose={onClose}
    >
      <form
        aria-label="New user"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (outcome.kind === 'ready') create.mutate()
        }}
      >
        <TextField
          label="E-mail"
          kind="email"
          isMono
          placeholder="person@example.test"
          value={draft.email}
          onChange={(email) => edit({ email })}
        />
        <TextField
          label="Telephone"
          isMono
          placeholder="+5551990000000"
          value={draft.phone}
          onChange={(phone) => edit({ phone })}
        />
        <TextField
          label="Password"
          isMono
          hint="Without one the user signs in by code, link or provider."
          error={problemOf('password')}
          value={draft.password}
          onChange={(password) => edit({ password })}
        />
        <TextField
          label="Metadata, as JSON"
          isMono
          lines={4}
          placeholder='{"full_name": "Ana Ribeiro"}'
          error={problemOf('metadata')}
          value={draft.metadata}
          onChange={(metadata) => edit({ metadata })}
        />
        <Switch
          label="Confirmed already"
          isChecked={draft.isConfirmed}
          onChange={(isConfirmed) => edit({ isConfirmed })}
        />
        {create.error === null ? undefined : (
          <Failed title="The user was not made" error={create.error} />
        )}
        <Button
          type="submit"
          tone="primary"
          icon={<UserRoundPlus aria-hidden="true" />}
          isBusy={create.isPending}
          disabled={outcome.kind === 'wrong'}
        >
          Create user
        </Button>
      </form>
    </Sheet>
  )
}
