// What shows where there are no users.
import { Users } from 'lucide-react'
import type { ReactElement } from 'react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

export function NoUsers({
  words,
  onNew,
}: {
  readonly words: string
  readonly onNew: () => void
}): ReactElement {
  const action = <Button onClick={onNew}>New user</Button>
  return words === '' ? (
    <EmptyState
      icon={<Users aria-hidden="true" />}
      title="No users yet"
      detail="They come by signing up through /auth/v1, from a fixture, or from here."
      action={action}
    />
  ) : (
    <EmptyState
      icon={<Users aria-hidden="true" />}
      title={`Nobody’s address has “${words}” in it`}
      action={action}
    />
  )
}
