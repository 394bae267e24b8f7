// The tokens screen explains a credential and mints new credentials. The address never contains a credential.
import { useSearch } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { useLive } from '../../api/live.ts'
import { useNewestRequests } from '../../api/requests.ts'
import { useTokenExplanation } from '../../api/tokens.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { pasteCredential, usePastedCredential } from '../../parts/pasted-credential.ts'
import { useChangeSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { pastedCredential } from './credential-text.ts'
import { MintForm } from './mint-form.tsx'
import { PickedRequest } from './picked-request.tsx'
import { EMPTY } from './texts.ts'
import { TokenReport } from './token-report.tsx'
import type { TokensSearch } from './tokens-search.ts'

export function TokensPage(): ReactElement {
  const search = useSearch({ from: '/tokens' })
  const change = useChangeSearch<TokensSearch>()
  const text = usePastedCredential()
  const token = pastedCredential(text)
  const pick = (request: string | undefined) => change({ request })
  const explain = (pasted: string) => {
    pasteCredential(pasted)
    if (search.request !== undefined && pasted !== '') pick(undefined)
  }
  return (
    <>
      <PageHeader title="Tokens" />
      <div className="flex min-h-0 flex-1 max-md:flex-col max-md:overflow-auto">
        <div className="flex min-w-0 flex-1 flex-col gap-4 overflow-auto p-4 max-md:flex-none">
          <PasteField
            text={text}
            onChange={explain}
            request={search.request}
            onPick={(request) => {
              pasteCredential('')
              pick(request)
            }}
          />
          {search.request === undefined ? (
            <Explained token={token} />
          ) : (
            <PickedRequest requestId={search.request} onMinted={explain} />
          )}
        </div>
        <aside
          aria-label="New credential"
          className="flex w-96 shrink-0 flex-col overflow-auto border-l bg-surface-1 p-4 max-md:w-auto max-md:border-t max-md:border-l-0"
        >
          <MintForm
            key={`${search.project ?? ''} ${search.user ?? ''}`}
            project={search.project}
            user={search.user}
            onMinted={explain}
          />
        </aside>
      </div>
    </>
  )
}

function Explained({ token }: { readonly token: string }): ReactElement {
  const explanation = useTokenExplanation(token)
  if (token === '') return <EmptyState icon={<KeyRound />} {...EMPTY.report} />
  return (
    <Loaded query={explanation} what="the explanation" lines={5}>
      {(report) => <TokenReport token={token} explanation={report} />}
    </Loaded>
  )
}

interface PasteFieldProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Id of the selected request. */
  readonly request: string | undefined
  readonly onPick: (requestId: string) => void
}

/** Number of recent requests in the list. */
const OFFERED = 60

const NONE: readonly JournalEntry[] = []

/** Chooses the credential to explain: the user pastes it or selects a recent request. */
function PasteField({ text, onChange, request, onPick }: PasteFieldProps): ReactElement {
  const live = useLive((snapshot) => snapshot.requests)
  const { data: past = NONE } = useNewestRequests(OFFERED)
  const options = useMemo(() => {
    const entries = [...live.slice(-OFFERED).reverse(), ...past]
    const byId = new Map(entries.map((entry) => [entry.request_id, entry]))
    return [...byId.values()].slice(0, OFFERED).map((entry) => ({
      value: entry.request_id,
      label: `${entry.method} ${entry.target.split('?')[0]}`,
      detail: `${entry.status} ${entry.role ?? ''}`,
    }))
  }, [live, past])
  return (
    <section aria-label="Credential" className="flex flex-col gap-2">
      <TextField
        label="Key or token, with or without Bearer"
        placeholder="eyJhbGciOi…  v4.public.…  sdb_gk_…"
        isMono
        lines={4}
        value={text}
        onChange={onChange}
      />
      <div className="flex items-center gap-2">
        <Combobox
          label="Choose a request"
          placeholder="Choose a request"
          isMono
          value={request ?? null}
          options={options}
          onChange={onPick}
          className="w-80"
        />
        {text !== '' && (
          <Button tone="quiet" onClick={() => onChange('')}>
            Clear credential
          </Button>
        )}
      </div>
    </section>
  )
}
