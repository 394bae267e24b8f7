// Explains a credential: the verdict, the services that accept it, its claims and its facts.
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import type { TokenExplanation } from '../../../emulator/contract/tokens.ts'
import { ClaimsTree } from '../../parts/claims-tree.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { JsonTree } from '../../ui/json-tree.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { useNow, usePlatformTime } from '../../ui/platform-time.ts'
import { Section } from '../../ui/sheet.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { CopyTokenRequest } from './copy-token-request.tsx'
import { countdown } from './credential-text.ts'
import { RevokeActions } from './revoke-actions.tsx'
import { EMPTY, SERVICES, SIGNATURES, TOKEN_KINDS } from './texts.ts'

export function TokenReport(props: {
  readonly token: string
  readonly explanation: TokenExplanation
}): ReactElement {
  const { token, explanation } = props
  const { kind, holds, sentence, claims, header } = explanation
  return (
    <>
      <section
        aria-label="Verdict"
        className={cx(
          'flex flex-col gap-3 rounded-2 border p-4',
          holds ? 'border-allowed/40 bg-allowed/5' : 'border-refused/40 bg-refused/5',
        )}
      >
        <div className="flex flex-wrap items-center gap-2">
          <Chip tone={holds ? 'allowed' : 'refused'}>{holds ? 'valid' : 'refused'}</Chip>
          <h2 className="text-title font-strong">{TOKEN_KINDS[kind]}</h2>
          <span className="ml-auto flex items-center gap-2">
            {kind !== 'unknown' && <Expiry until={explanation.expires_at} />}
            <SignatureChip signature={explanation.signature} />
            <CopyTokenRequest token={token} explanation={explanation} />
          </span>
        </div>
        <p>{sentence}</p>
      </section>
      <Section title="Accepted by">
        <TokenServices services={explanation.services} />
      </Section>
      <div className="grid gap-4 lg:grid-cols-2">
        <Section title="Claims">
          {claims === null ? (
            <p className="text-ink-dim">{EMPTY.claims}</p>
          ) : (
            <ClaimsTree claims={claims} />
          )}
        </Section>
        <div className="flex min-w-0 flex-col gap-4">
          <Section title="Details">
            <KeyValueList items={factsOf(explanation)} />
          </Section>
          {header !== null && (
            <Section title="Header">
              <JsonTree value={header} label="header" />
            </Section>
          )}
        </div>
      </div>
      <RevokeActions token={token} explanation={explanation} />
    </>
  )
}

function factsOf(props: TokenExplanation): readonly (readonly [string, ReactNode])[] {
  const { kind, project, expires_at } = props
  return [
    ['Project', project === null ? 'none' : <ProjectLink key="project" {...project} />],
    ...(kind === 'unknown'
      ? []
      : [['Expires', <Timestamp key="expiry" at={expires_at} format="exact" />] as const]),
  ]
}

function ProjectLink({ slug, state }: NonNullable<TokenExplanation['project']>): ReactElement {
  return (
    <span className="inline-flex items-center gap-2">
      <Link
        to="/t/$tenant/tables"
        params={{ tenant: slug }}
        className="text-accent hover:underline"
      >
        {slug}
      </Link>
      {state !== 'active' && <Chip tone="refused">{state}</Chip>}
    </span>
  )
}

/** Shows the remaining validity and counts down in platform time. */
function Expiry({ until }: { readonly until: string | null }): ReactElement {
  const now = useNow()
  const { parse } = usePlatformTime()
  const end = until === null ? undefined : parse(until)
  if (end === undefined) return <Chip>does not expire</Chip>
  const { isPast, sentence } = countdown(end, now)
  return <Chip tone={isPast ? 'clock' : 'neutral'}>{sentence}</Chip>
}

function SignatureChip({ signature }: Pick<TokenExplanation, 'signature'>): ReactElement {
  const { word, isValid } = SIGNATURES[signature]
  return <Chip tone={isValid === null ? 'unknown' : isValid ? 'allowed' : 'refused'}>{word}</Chip>
}

/** Shows for each service whether it accepts the credential. */
function TokenServices({ services }: Pick<TokenExplanation, 'services'>): ReactElement {
  return (
    <ul aria-label="Services" className="flex flex-col rounded-2 border">
      {services.map(({ service, accepted, sentence }) => (
        <li
          key={service}
          data-service={service}
          className="grid grid-cols-[112px_96px_minmax(0,1fr)] items-center gap-2 border-b px-3 py-1 last:border-b-0"
        >
          <span className="font-strong">{SERVICES[service]}</span>
          <span>
            <Chip tone={accepted ? 'allowed' : 'refused'}>{accepted ? 'accepted' : 'refused'}</Chip>
          </span>
          <span className="text-ink-dim">{sentence}</span>
        </li>
      ))}
    </ul>
  )
}
