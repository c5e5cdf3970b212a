import { readVerdict } from '@vernal/evaluation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('the answer of a judge', () => {
  it.each([
    'YES',
    'yes',
    'Yes.',
    '  yes\n',
    '**Yes**, because the context says so.',
    '**YES**',
    '"Yes"',
    '`yes`',
    'Yes - the context says 31 days.',
    'Yes — it does',
    'Yes: it does',
    'Yes (see document 1)',
    'Yes, the response is in line with the context.',
    'Yes it is in line',
    'Yes\n\nThe response matches.',
    '- Yes',
    '# Yes\nIt does.',
    'Answer: YES',
    '**Answer:** Yes, it does',
    'Verdict: yes',
    'The response names 31 days, and so does the context.\n\nFinal answer: yes.',
    'The response names 31 days, and so does the context.\n\nYES',
    '<think>Hmm, no, wait. No.</think>Yes',
    '<think>\nno\n</think>\n\n**Yes.**',
    '{"verdict":"yes"}',
    '{"verdict":"YES","reason":"It is said."}',
    '{"verdict":true}',
    '{"reason":"No doubt about it","verdict":"yes"}',
    '```json\n{"verdict": "yes",}\n```',
    '{"Verdict":"Yes, it is"}',
    'Here it is: {"verdict":"yes"}',
    'Supported',
    'true',
    'Sí, es correcto.',
    'Oui',
    'Ja, das stimmt.',
    'Да.',
    '是。',
    '是的，上下文支持。',
    '答案：是',
    'はい、そうです。',
    '네.',
    'نعم، هذا صحيح',
    'हाँ',
  ])('is a yes: %j', (answer) => {
    expect(readVerdict(answer).verdict).toBe('pass');
  });

  it.each([
    'NO',
    'no.',
    'No, it is not.',
    'no it is not',
    '**No**, because yes would be wrong.',
    'No. The response says yes, but the context says no such thing.',
    'No, false claims are made.',
    'Verdict: no',
    'It says "yes".\nVerdict: NO',
    '{"verdict":"no","reason":"yes is what the response wants"}',
    '{"verdict":false}',
    '<think>yes yes yes</think>No',
    'unsupported',
    'Nein.',
    'Non, pas du tout',
    'нет',
    '不是。',
    '否',
    'いいえ。',
    'Não.',
  ])('is a no: %j', (answer) => {
    expect(readVerdict(answer).verdict).toBe('fail');
  });

  it.each([
    '',
    '   ',
    'maybe',
    'yes and more',
    'yes and no',
    'Yes or no?',
    'Yes/No',
    'YES?',
    'Yes, but the second claim is not supported.',
    'No, but it is close.',
    'Yes. However, one part is missing.',
    'Yes, partially.',
    'No idea',
    'no information about that',
    'Not sure',
    'yesterday',
    'nothing',
    'yes-ish',
    'Yes. No.',
    'Yes.\n\nVerdict: no',
    'No.\n{"verdict":"yes"}',
    'I cannot judge that.',
    'Si la respuesta es correcta, no lo sé.',
    '是否支持',
    '<think>yes',
    '{"verdict":"perhaps"}',
    '{"verdict":null}',
    '{"score":1}',
    '{"verdict":"yes"',
    '42',
    '👍',
  ])('is neither, and not a silent no: %j', (answer) => {
    expect(readVerdict(answer).verdict).toBe('inconclusive');
  });

  it('comes with its reason', () => {
    expect(readVerdict('**Yes**, because it is said.').reason).toBe('because it is said.');
    expect(readVerdict('{"reason":"It is said.","verdict":"yes"}').reason).toBe('It is said.');
    expect(readVerdict('It is said.\nVerdict: yes').reason).toContain('It is said.');
    expect(readVerdict('no').reason).toBe('');
  });

  it('may be anything, and any length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const { verdict } = readVerdict(text);
        expect(['pass', 'fail', 'inconclusive']).toContain(verdict);
      }),
    );
    expect(readVerdict(`${'*'.repeat(200_000)}yes`).verdict).toBe('pass');
    expect(readVerdict(`${'a '.repeat(200_000)}`).verdict).toBe('inconclusive');
    expect(readVerdict(`${' \n#'.repeat(100_000)}answer`).verdict).toBe('inconclusive');
  });

  it('never turns round by what follows a clear sentence', () => {
    const prose = fc.stringMatching(/^[a-z ]{0,40}$/);
    fc.assert(
      fc.property(fc.constantFrom('Yes', 'No'), prose, (word, rest) => {
        const { verdict } = readVerdict(`${word}. The text ${rest}`);
        expect(verdict).toBe(word === 'Yes' ? 'pass' : 'fail');
      }),
    );
  });
});
