// Tokens: what a credential is, whether it holds and what it may do here; and minting any.
import { useSearch } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { useTokenExplanation } from '../../api/tokens.ts'
import { useChangeSearch } from '../../parts/search.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { MintForm } from './mint-form.tsx'
import { PasteField } from './paste-field.tsx'
import { PickedRequest } from './picked-request.tsx'
import { TokenReport } from './token-report.tsx'
import { pastedCredential } from './token-words.ts'
import type { TokensSearch } from './tokens-search.ts'

export function TokensPage(): ReactElement {
  const search = useSearch({ from: '/tokens' })
  const change = useChangeSearch<TokensSearch>()
  const [text, setText] = useState('')
  const token = pastedCredential(text)
  const pick = (request: string | undefined) => change({ request })
  const explain = (pasted: string) => {
    setText(pasted)
    if (search.request !== undefined && pasted !== '') pick(undefined)
  }
  return (
    <>
      <PageHeader title="Tokens" />
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col gap-4 overflow-auto p-4">
          <PasteField
            text={text}
            onChange={explain}
            request={search.request}
            onPick={(request) => {
              setText('')
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
          aria-label="Mint a credential"
          className="flex w-96 shrink-0 flex-col overflow-auto border-l bg-surface-1 p-4"
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
  const { data: explanation, error, refetch } = useTokenExplanation(token)
  if (token === '')
    return (
      <EmptyState
        icon={<KeyRound aria-hidden="true" />}
        title="Nothing to explain yet"
        detail="Paste a key or a token, pick the credential of a request, or mint one at the right."
      />
    )
  if (explanation !== undefined) return <TokenReport token={token} explanation={explanation} />
  if (error !== null)
    return (
      <Failed
        title="The credential could not be explained"
        error={error}
        retry={() => void refetch()}
      />
    )
  return <Loading label="Examining the credential" lines={5} />
}
