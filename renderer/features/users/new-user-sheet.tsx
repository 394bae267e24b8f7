// The form that creates a user. The platform sends no message to the new user.
import { UserRoundPlus } from 'lucide-react'
import type { ReactElement } from 'react'
import { createUser } from '../../api/users.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { EMPTY_DRAFT, readDraft } from './new-user-draft.ts'
import { HINTS } from './texts.ts'

export function NewUserSheet(props: {
  readonly tenant: string
  readonly onCreated: (id: string) => void
  readonly onClose: () => void
}): ReactElement {
  const { tenant, onCreated, onClose } = props
  const form = useForm({
    initial: EMPTY_DRAFT,
    read: readDraft,
    send: (order) => createUser(tenant, order),
    stale: [
      ['users', tenant],
      ['identities', tenant],
    ],
    onSent: ({ id, email, phone }) => {
      showToast({ title: 'User created', detail: email ?? phone, tone: 'allowed' })
      onCreated(id)
    },
  })
  return (
    <Sheet
      title={`New user of ${tenant}`}
      label="New user"
      name="user"
      width={440}
      isForm
      onClose={onClose}
    >
      <Form
        form={form}
        label="New user"
        action="Create user"
        icon={<UserRoundPlus />}
        failure="Could not create the user"
      >
        <TextField
          {...form.field('email')}
          label="E-mail"
          kind="email"
          isMono
          placeholder="person@example.test"
        />
        <TextField {...form.field('phone')} label="Phone" isMono placeholder="+5551990000000" />
        <TextField {...form.field('password')} label="Password" isMono hint={HINTS.password} />
        <TextField
          {...form.field('metadata')}
          label="Metadata, as JSON"
          isMono
          lines={4}
          placeholder='{"full_name": "Ana Ribeiro"}'
        />
        <Switch
          label="Address confirmed"
          isChecked={form.draft.isConfirmed}
          onChange={(isConfirmed) => form.edit({ isConfirmed })}
        />
      </Form>
    </Sheet>
  )
}
