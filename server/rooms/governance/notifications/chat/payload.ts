import type { ChatChannel } from '../kinds.ts'
import type { Notice } from '../templates/notice.ts'

// Slack interprets these three as markup; a name must not mention everyone or become a link.
const escapedSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text)
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** For incoming webhooks of Slack and compatible ones: Mattermost, Rocket.Chat, Discord with /slack. */
function slackPayload({ title, lines, facts, items, action }: Notice): object {
  const body = [
    ...lines.map((line) => escapedSlack(oneLine(line))),
    ...facts.map(({ name, value }) => `*${escapedSlack(name)}:* ${escapedSlack(oneLine(value))}`),
    ...items
      .slice(0, 20)
      .map(({ title: text, url }) => `• <${url}|${escapedSlack(oneLine(text)).replaceAll('|', '¦')}>`),
    ...(items.length > 20 ? [`… and ${items.length - 20} more`] : []),
  ].join('\n')
  return {
    text: escapedSlack(oneLine(title)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(oneLine(title), 150), emoji: false } },
      ...(body === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: cut(body, 2900), verbatim: true } }]),
      {
        type: 'section',
        text: { type: 'mrkdwn', text: `<${action.url}|${escapedSlack(action.label)}>`, verbatim: true },
      },
    ],
  }
}

// A TextBlock of an Adaptive Card is Markdown: names are escaped.
const escapedCard = (text: string): string => oneLine(text).replace(/[\\`*_{}[\]()#+\-.!|<>~]/g, '\\$&')

/** For incoming webhooks of Microsoft Teams: an Adaptive Card, as workflows and connectors accept it. */
function teamsPayload({ title, lines, facts, items, action }: Notice): object {
  const block = (text: string, more: object = {}): object => ({ type: 'TextBlock', text, wrap: true, ...more })
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(cut(escapedCard(title), 300), { weight: 'Bolder', size: 'Medium' }),
            ...lines.map((line) => block(cut(escapedCard(line), 2000))),
            ...(facts.length === 0
              ? []
              : [
                  {
                    type: 'FactSet',
                    facts: facts.map(({ name, value }) => ({ title: escapedCard(name), value: escapedCard(value) })),
                  },
                ]),
            ...items.slice(0, 20).map(({ title: text }) => block(cut(`- ${escapedCard(text)}`, 300))),
            ...(items.length > 20 ? [block(`and ${items.length - 20} more`)] : []),
          ],
          actions: [{ type: 'Action.OpenUrl', title: action.label, url: action.url }],
        },
      },
    ],
  }
}

const payloads: Readonly<Record<ChatChannel, (notice: Notice) => object>> = {
  slack: slackPayload,
  teams: teamsPayload,
}

export const payloadFor = (channel: ChatChannel, notice: Notice): object => payloads[channel](notice)
