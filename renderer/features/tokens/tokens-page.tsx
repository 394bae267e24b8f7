// Tokens: explains a credential and mints new ones. The address never holds a credential.
import { useSearch } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { useTokenExplanation } from '../../api/tokens.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useChangeSearch } from '../../parts/search.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { pastedCredential } from './credential-text.ts'
import { MintForm } from './mint-form.tsx'
import { PasteField } from './paste-field.tsx'
import { PickedRequest } from './picked-request.tsx'
import { EMPTY } from './texts.ts'
import { TokenReport } from './token-report.tsx'
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
          aria-label="New credential"
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
  const explanation = useTokenExplanation(token)
  if (token === '') return <EmptyState icon={<KeyRound aria-hidden="true" />} {...EMPTY.report} />
  return (
    <Loaded query={explanation} what="the explanation" lines={5}>
      {(report) => <TokenReport token={token} explanation={report} />}
    </Loaded>
  )
}
