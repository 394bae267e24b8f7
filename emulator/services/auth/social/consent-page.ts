// Renders the consent page, on which the user chooses a provider's account, and the error page. Both pages have no scripts and
// load nothing from other servers (docs/wire/auth.md#social). Pure.
import type { ProviderName } from '../auth-settings.ts'
import { CONSENT_STYLE, CONSENT_STYLE_SOURCE } from './consent-style.ts'
import { html, type Markup, verbatimMarkup } from './markup.ts'
import { PROVIDER_LABELS, type ProviderAccount } from './providers.ts'

export interface ConsentPage {
  readonly provider: ProviderName
  readonly state: string
  readonly projectName: string
  readonly redirectTo: string
  readonly accounts: readonly ListedAccount[]
  /** The user's input for a new account and the errors in it. */
  readonly draft: AccountDraft | undefined
}

export interface ListedAccount {
  readonly account: ProviderAccount
  /** Whether the account has signed in to this project before. */
  readonly isUsed: boolean
}

export interface AccountDraft {
  readonly name: string
  readonly email: string
  /** Error messages shown below the fields. */
  readonly problems: { readonly name?: string; readonly email?: string }
}

/** Renders the consent page, whose forms post to `/auth/v1/consent/:provider`. */
export function renderConsentPage(page: ConsentPage): string {
  const label = PROVIDER_LABELS[page.provider]
  return documentOf(
    `Sign in with ${label}`,
    html`<main class="wide">
<header>
${MARK}
<h1>Sign in with ${label}</h1>
<p class="lead">to continue to <strong><bdi>${page.projectName}</bdi></strong></p>
<p class="soft">You return to <span class="address">${page.redirectTo}</span></p>
</header>
<div class="choices">
<section aria-labelledby="accounts">
<h2 id="accounts">Choose an account</h2>
${form(page, html`<ul>${page.accounts.map(accountRow)}</ul>`)}
</section>
<section aria-labelledby="another">
<h2 id="another">Another account</h2>
${form(page, newAccountFields(page.draft))}
</section>
</div>
<footer>
<h2>Simulate a failure</h2>
${form(
  page,
  html`<div class="others"><button name="decision" value="deny">Deny</button><button class="alarm" name="decision" value="error">Provider error</button></div>`,
)}
<p class="soft">The accounts are fictional. The emulator sends nothing to ${label}.</p>
</footer>
</main>`,
  )
}

/** Renders an error as a page. */
export function renderRefusalPage(code: string, message: string): string {
  return documentOf(
    'Sign-in refused',
    html`<main>
<header>
${MARK}
<h1>This sign-in cannot continue</h1>
<p class="lead">${message}</p>
<p class="soft">Error code <code>${code}</code></p>
</header>
</main>`,
  )
}

/**
 * The HTTP headers of both pages. Browsers apply `form-action` to every redirect after a form, including those of the
 * application. Therefore `form-action` allows all hosts, with http, https and the scheme of `redirectTo`.
 */
export function consentHeaders(redirectTo: string | undefined): Readonly<Record<string, string>> {
  const schemes = new Set(['http:', 'https:'])
  if (redirectTo !== undefined) schemes.add(new URL(redirectTo).protocol)
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${CONSENT_STYLE_SOURCE}`,
      'img-src data:',
      `form-action 'self' ${[...schemes].join(' ')}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

const MARK = html`<p class="mark">${verbatimMarkup(
  '<svg viewBox="0 0 36 36" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><rect x="1.5" y="1.5" width="33" height="33" rx="10" stroke-opacity=".35"/><circle cx="14" cy="18" r="4.5"/><path d="M18.5 18H28m-3 0v4"/></svg>',
)}Emulated provider</p>`

function documentOf(title: string, body: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${verbatimMarkup(CONSENT_STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`.toString()
}

function form({ provider, state }: ConsentPage, content: Markup): Markup {
  return html`<form method="post" action="/auth/v1/consent/${provider}"><input type="hidden" name="state" value="${state}">${content}</form>`
}

// Two accounts can have the same name, so the e-mail address is part of the button's accessible description.
function accountRow({ account, isUsed }: ListedAccount): Markup {
  const { sub, full_name: name, email } = account
  const badge = isUsed ? html`<span class="badge">Used here</span>` : undefined
  return html`<li><button class="account" name="account" value="${sub}" aria-label="Continue as ${name}" aria-describedby="email-${sub}"><img src="${account.avatar_url}" alt="" width="40" height="40"><span class="who"><bdi>${name}</bdi><bdi id="email-${sub}">${email}</bdi></span>${badge}</button></li>`
}

function newAccountFields(draft: AccountDraft | undefined): Markup {
  return html`<div class="fields">
${field({ name: 'name', label: 'Name', type: 'text', limit: '255' }, draft?.name, draft?.problems.name)}
${field({ name: 'email', label: 'E-mail', type: 'email', limit: '254' }, draft?.email, draft?.problems.email)}
<label class="check"><input type="checkbox" name="email_unverified" value="yes">The provider has not verified this address</label>
<button class="primary" name="decision" value="new">New account</button>
</div>`
}

interface Field {
  readonly name: 'name' | 'email'
  readonly label: string
  readonly type: string
  readonly limit: string
}

function field({ name, label, type, limit }: Field, value = '', problem?: string): Markup {
  const complaint =
    problem === undefined ? undefined : html`<p class="problem" id="${name}-problem">${problem}</p>`
  const marks =
    problem === undefined
      ? undefined
      : html` aria-invalid="true" aria-describedby="${name}-problem" autofocus`
  return html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" autocomplete="${name}" maxlength="${limit}" required value="${value}"${marks}>${complaint}</div>`
}
