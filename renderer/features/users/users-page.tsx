// The users screen lists a project's end users. The address holds the filter, the open user and the open part of the
// sheet.
import { useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { UserRoundPlus, Users } from 'lucide-react'
import { type ReactElement, useCallback, useDeferredValue, useEffect, useMemo } from 'react'
import { USER_ORDERS } from '../../../emulator/contract/choices.ts'
import { onLiveEvents } from '../../api/live.ts'
import { useUsers } from '../../api/users.ts'
import { gridSortOf, orderAfter } from '../../parts/grid-order.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { DataGrid } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumber } from '../../ui/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { NewUserSheet } from './new-user-sheet.tsx'
import { EMPTY, noMatchText } from './texts.ts'
import { USER_COLUMNS } from './user-columns.tsx'
import { UserSheet } from './user-sheet.tsx'
import { NEW_USER, type UsersSearch } from './users-search.ts'

export function UsersPage(): ReactElement {
  const { tenant } = useParams({ from: '/t/$tenant/users' })
  const search = useSearch({ from: '/t/$tenant/users' })
  const words = search.q ?? ''
  const { sort, order } = search
  const list = useUsers(tenant, useDeferredValue(words), { sort, order: sort && (order ?? 'asc') })
  useUserEvents(tenant)
  const go = useSetSearch<UsersSearch>()
  const open = (user: string) => go({ ...search, user })
  const create = useCallback(() => go({ user: NEW_USER }), [go])
  usePaletteActions(
    useMemo(
      () => [{ id: 'users.new', label: 'Create user', group: 'Users', run: create }],
      [create],
    ),
  )
  const close = useCallback(
    () => go({ q: words || undefined, sort, order }),
    [go, words, sort, order],
  )
  const total = list.data?.pages[0]?.total
  return (
    <>
      <PageHeader
        title="Users"
        beside={total === undefined ? undefined : <span>{formatNumber(total)}</span>}
        actions={
          <Button tone="primary" icon={<UserRoundPlus />} onClick={() => open(NEW_USER)}>
            Create user
          </Button>
        }
      />
      <Toolbar label="Filter users">
        <SearchField
          label="Search users"
          placeholder="E-mail or phone…"
          value={words}
          onChange={(q) => go({ ...search, q: q || undefined })}
          className="w-72"
        />
      </Toolbar>
      <SheetLayout
        sheet={
          <OpenSheet tenant={tenant} search={search} onSearch={go} onOpen={open} onClose={close} />
        }
      >
        <Loaded query={list} what="users" lines={8}>
          {() => <UserGrid list={list} search={search} onSearch={go} onOpen={open} />}
        </Loaded>
      </SheetLayout>
    </>
  )
}

function UserGrid(props: {
  readonly list: ReturnType<typeof useUsers>
  readonly search: UsersSearch
  readonly onSearch: (search: UsersSearch) => void
  readonly onOpen: (user: string) => void
}): ReactElement {
  const { list, search, onSearch, onOpen } = props
  const users = useMemo(() => list.data?.pages.flatMap((page) => page.users) ?? [], [list.data])
  return (
    <DataGrid
      label="Users"
      name="users"
      columns={USER_COLUMNS}
      rows={users}
      rowKey={({ id }) => id}
      rowHeight={32}
      selected={search.user}
      onSelect={onOpen}
      sort={gridSortOf(search)}
      onSort={(column) => onSearch({ ...search, ...orderAfter(search, USER_ORDERS, column) })}
      onEnd={() => {
        if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
      }}
      isFirst
      empty={
        <EmptyState
          icon={<Users />}
          {...(search.q === undefined ? EMPTY.users : { title: noMatchText(search.q) })}
          action={<Button onClick={() => onOpen(NEW_USER)}>Create user</Button>}
        />
      }
    />
  )
}

/** Reloads the lists after each request to the auth service, because such requests change users. */
function useUserEvents(tenant: string): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      onLiveEvents((events) => {
        const isChange = events.some(
          (event) =>
            event.kind === 'request' &&
            event.entry.service === 'auth' &&
            event.entry.method !== 'GET' &&
            event.entry.schema_name === `proj_${tenant}`,
        )
        if (isChange) void queries.invalidateQueries({ queryKey: ['users', tenant] })
      }),
    [queries, tenant],
  )
}

function OpenSheet(props: {
  readonly tenant: string
  readonly search: UsersSearch
  readonly onSearch: (search: UsersSearch) => void
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}): ReactElement | undefined {
  const { tenant, search, onSearch, onOpen, onClose } = props
  const { user, part = 'profile' } = search
  if (user === undefined) return undefined
  if (user === NEW_USER)
    return <NewUserSheet tenant={tenant} onCreated={onOpen} onClose={onClose} />
  return (
    <UserSheet
      key={`${tenant} ${user}`}
      tenant={tenant}
      id={user}
      part={part}
      onPart={(next) => onSearch({ ...search, part: next === 'profile' ? undefined : next })}
      onClose={onClose}
    />
  )
}
