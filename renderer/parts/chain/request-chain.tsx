// Shows the access chain of a recorded request as one line of links. The first broken link is red and shows its facts,
// the SQL that fixes it, and a link to the explained row.

import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { AccessChain, ExplainRequest } from '../../../emulator/contract/explain.ts'
import { useAccessChain } from '../../api/requests.ts'
import { Code } from '../../ui/code.tsx'
import { cx } from '../../ui/cx.ts'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { MeasuredFix } from '../fixes/measured-fix.tsx'
import { identityText } from '../identity-text.ts'
import { Loaded } from '../loaded.tsx'
import { rowKeyText } from '../row-key.ts'
import { RunnableSql } from '../sql-actions.tsx'
import { ChainLine } from './chain-line.tsx'
import { chainSentence, LINK_NAMES, LINK_WORDS, type ShownLink, shownLinks } from './chain-model.ts'

interface RequestChainProps {
  readonly requestId: string
  /** Slug of the request's project. */
  readonly tenant: string | undefined
}

export function RequestChain({ requestId, tenant }: RequestChainProps): ReactElement {
  return (
    <Loaded query={useAccessChain(requestId)} what="the chain" lines={3}>
      {(chain) => <ChainView key={requestId} chain={chain} tenant={tenant} />}
    </Loaded>
  )
}

interface ChainViewProps {
  readonly chain: AccessChain
  /** The slug of the request's project. The chain has no links to other screens when the slug is `undefined`. */
  readonly tenant: string | undefined
}

function ChainView({ chain, tenant }: ChainViewProps): ReactElement {
  const links = shownLinks(chain)
  const culprit = links.findIndex(({ isCulprit }) => isCulprit)
  const [picked, setPicked] = useState<number>()
  const chosen = picked ?? Math.max(0, culprit)
  const link = links[chosen]
  return (
    <section
      aria-label={chainSentence(links)}
      className={cx(
        'flex flex-col overflow-hidden rounded-2 border',
        culprit === -1 ? 'border-line-strong' : 'border-refused/40',
      )}
    >
      <ChainLine links={links} chosen={chosen} onChoose={setPicked} />
      {link !== undefined && <LinkFacts link={link} said={chain.sentence} />}
      <div className="flex flex-col gap-3 border-t bg-surface-2/50 p-3">
        <p data-sentence className="text-base">
          {chain.sentence}
        </p>
        <Basis chain={chain} />
        {chain.suggested_fix !== null && (
          <SuggestedFix sql={chain.suggested_fix} tenant={tenant} explain={chain.explain} />
        )}
        {chain.explain === null || tenant === undefined ? undefined : (
          <ExplainLink explain={chain.explain} tenant={tenant} />
        )}
      </div>
    </section>
  )
}

/** Shows which state of policies and rows the explanation is about, what it lacks, and what changed since. */
function Basis({ chain }: { readonly chain: AccessChain }): ReactElement | null {
  const { as_of: asOf, basis, changed_since: changes, incomplete } = chain
  const ofRefusal =
    asOf === 'refusal'
      ? 'As decided when the request was refused. Policies and rows may have changed since.'
      : undefined
  const text = [incomplete ?? ofRefusal, basis ?? undefined].filter(Boolean).join(' ')
  if (text === '') return null
  return (
    <>
      <p className="text-small text-ink-dim">{text}</p>
      {changes.length !== 0 && <ChangesSince changes={changes} />}
    </>
  )
}

function ChangesSince(props: { readonly changes: AccessChain['changed_since'] }): ReactElement {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <h3 className="text-small font-strong text-ink-dim">Changed since</h3>
      <ul aria-label="Changed since" className="flex flex-col gap-1">
        {props.changes.map(({ request_id: id, sentence }) => (
          <li key={sentence} className="flex flex-wrap gap-x-2">
            <span className="min-w-0 break-words">{sentence}</span>
            {id !== null && (
              <Link
                to="/requests/$requestId"
                params={{ requestId: id }}
                title={id}
                className="text-accent hover:underline"
              >
                Open request
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function LinkFacts(props: {
  readonly link: ShownLink
  /** The sentence below the chain. The link's facts omit what this sentence contains. */
  readonly said: string
}): ReactElement {
  const { link, said } = props
  const facts = link.facts.filter(
    ([name, value]) => value !== link.title && !(name === 'message' && said.includes(value)),
  )
  return (
    <div className="flex flex-col gap-2 px-3 pt-1 pb-3" aria-live="polite">
      <p>
        <span className={cx('font-strong', link.isCulprit && 'text-refused')}>
          {LINK_NAMES[link.link]}
        </span>
        <span className="text-ink-dim"> {LINK_WORDS[link.state]} · </span>
        {link.title}
      </p>
      {said.includes(link.sentence) ? undefined : <p className="text-ink-dim">{link.sentence}</p>}
      {facts.length !== 0 && <KeyValueList isMono items={facts} />}
    </div>
  )
}

function SuggestedFix(props: {
  readonly sql: string
  readonly tenant: string | undefined
  readonly explain: ExplainRequest | null
}): ReactElement {
  const { explain, sql, tenant } = props
  const label = 'SQL of the fix'
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <h3 className="text-small font-strong text-ink-dim">Suggested fixes</h3>
      {tenant === undefined ? (
        <Code text={sql} label={label} />
      ) : explain === null ? (
        <RunnableSql tenant={tenant} sql={sql} label={label} />
      ) : (
        <MeasuredFix tenant={tenant} sql={sql} of={questionOf(explain)} />
      )}
    </div>
  )
}

function questionOf({ command, identity, new_row: row, relation }: ExplainRequest) {
  return { command, identity, relation, ...(row === undefined ? {} : { new_row: row }) }
}

function ExplainLink(props: {
  readonly explain: ExplainRequest
  readonly tenant: string
}): ReactElement {
  const { explain, tenant } = props
  const [key] = explain.keys ?? []
  return (
    <Link
      to="/t/$tenant/policies/$table"
      params={{ tenant, table: explain.relation }}
      search={{
        view: 'rows',
        as: identityText(explain.identity),
        ...(explain.command === 'select' ? {} : { command: explain.command }),
        ...(key === undefined
          ? explain.command === 'insert'
            ? { row: 'new' }
            : {}
          : { row: rowKeyText(key) }),
        ...(explain.new_row === undefined ? {} : { set: cellsOf(explain.new_row) }),
      }}
      className="inline-flex items-center gap-1 self-start text-accent hover:underline [&_svg]:size-3"
    >
      {key === undefined ? `Explain rows of ${explain.relation}` : 'Explain row'}
      <ArrowRight />
    </Link>
  )
}

function cellsOf(row: Readonly<Record<string, unknown>>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value === null || value === undefined
        ? null
        : typeof value === 'string'
          ? value
          : JSON.stringify(value),
    ]),
  )
}
