import { describe, expect, test } from '@jest/globals';
import { gatherFacts } from '#enrichment/gather-facts.ts';
import { splitName } from '#enrichment/person-name.ts';

describe('a name in one field', () => {
  test.each([
    ['Ada Byron', undefined, 'Ada', 'Byron'],
    ['  Ada \t Byron ', undefined, 'Ada', 'Byron'],
    ['Byron, Ada', undefined, 'Ada', 'Byron'],
    ['Dr. Ada Byron', undefined, 'Ada', 'Byron'],
    ['Frau Dr. Ada Byron', undefined, 'Ada', 'Byron'],
    ['Ada Byron, PhD', undefined, 'Ada', 'Byron'],
    ['Sammy Davis Jr.', undefined, 'Sammy', 'Davis'],
    ['John Q. Public', undefined, 'John', 'Public'],
    ['Ludwig van Beethoven', undefined, 'Ludwig', 'van Beethoven'],
    ['Johann Wolfgang von Goethe', undefined, 'Johann Wolfgang', 'von Goethe'],
    ['Juana de la Cruz', undefined, 'Juana', 'de la Cruz'],
    ['Jean-Luc Picard', undefined, 'Jean-Luc', 'Picard'],
    ['Анна Каренина', undefined, 'Анна', 'Каренина'],
    ['محمد علي', undefined, 'محمد', 'علي'],
    ['Szent-Györgyi, Albert', 'HU', 'Albert', 'Szent-Györgyi'],
    ['山田 太郎', undefined, '太郎', '山田'],
    ['山田　太郎', 'JP', '太郎', '山田'],
    ['やまだ たろう', undefined, 'たろう', 'やまだ'],
    ['김 철수', undefined, '철수', '김'],
    ['王 小明', undefined, '小明', '王'],
    ['アダ・バイロン', undefined, 'アダ', 'バイロン'],
  ])('%s (%s) is split', (name, country, firstName, lastName) => {
    expect(splitName(name, country)).toEqual({ firstName, lastName });
  });

  test.each([
    ['Gabriel García Márquez', 'Gabriel'],
    ['Mary Jane Watson', 'Mary'],
  ])('%s has a middle that belongs to either side: only the first is certain', (name, firstName) => {
    expect(splitName(name)).toEqual({ firstName });
  });

  test.each([
    ['Madonna', undefined],
    ['Nagy István', 'HU'],
    ['Nguyễn Văn An', 'VN'],
    ['Yamada Taro', 'JP'],
    ['山田太郎', undefined],
    ['김철수', undefined],
    ['Ada 山田', undefined],
    ['ada@analytical.com Byron', undefined],
    ['Room 101', undefined],
    ['one two three four five six seven', undefined],
    ['a, b, c', undefined],
    ['', undefined],
    ['x '.repeat(200), undefined],
  ])('%s (%s) stays whole', (name, country) => {
    expect(splitName(name, country)).toEqual({});
  });

  test('fields of their own outrank the split', () => {
    const { facts } = gatherFacts({ name: 'Nagy István', firstName: ' István ', lastName: 'Nagy' });
    expect(facts.firstName?.value).toBe('István');
    expect(facts.lastName?.value).toBe('Nagy');
  });
});
