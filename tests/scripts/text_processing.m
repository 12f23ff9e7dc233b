% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Texts as arrays of characters.  % within 0 ulp
function results = text_processing(on)
t = on('The quick brown fox');
shifted = t;
letters = t >= 'a' & t <= 'z';
shifted(letters) = char(mod(double(t(letters)) - 97 + 3, 26) + 97);
counts = accumarray(double(lower(t(t ~= ' ')))' - 96, 1, [26 1])';
vowels = ismember(t, 'aeiou');
words = strsplit(t, ' ');
results = {shifted, counts, sum(vowels), words, upper(t), lower(t), fliplr(t), t(end:-1:1), strrep(t, 'quick', 'slow'), regexprep(t, '[aeiou]', '*'), strfind(t, 'o'), numel(t), isspace(t), isupper(t), strcmp(t, 'x'), ...
    strcmp(t, 'The quick brown fox'), [t ' jumps'], ['(' t(1:3) ')'], double(t(1)), char(on([72 101 121])), t == 'o', strtrim(on('  x ')), num2str(on(7)), str2num('5') + on(1), isempty(on('')), strjoin(words, '+'), ...
    strcat(t, '.'), regexp(t, '\w+', 'match'), any(t == 'q'), unique(t), sort(t), char(t + 0), class(gather(t)), blanks(on(3)), repmat(on('ab'), 1, 2), ischar(t), toupper(t(1)), strncmpi(t, 'the', 3), index(t, 'q')};
end
