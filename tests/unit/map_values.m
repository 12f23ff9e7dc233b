## What Octave's own functions give, for map_test.c: classes (c FUNCTION CLASS CLASS RESULT), values
## (v FUNCTION SINGLE I J LEFT BITS, of the values numbered I and J).
1;
function c = class_of (f, varargin)
  try
    c = class (f (varargin{:}));
  catch
    c = "-";
  end
end

function s = bits (r)
  r = double (real (r(:)));
  s = num2hex (r);
  s(isnan (r),:) = "n";
  s(isna (r),:) = "a";
end

classes = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical", "char"};
one = {"uminus", "not", "abs", "sign", "floor", "ceil", "round", "fix", "sqrt", "exp", "expm1", "log", "log2", "log10", "log1p", ...
       "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "gamma", "lgamma", "erf", "erfc", ...
       "cbrt", "isnan", "isinf", "isfinite", "isna", "signbit", "int8", "uint8", "int16", "uint16", "int32", "uint32", "single", "logical"};
two = {"plus", "minus", "times", "rdivide", "power", "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor", "max", "min", ...
       "mod", "rem", "atan2", "hypot", "bitand", "bitor", "bitxor"};
for f = one
  for a = classes
    printf ("c %s %s - %s\n", f{1}, a{1}, class_of (str2func (f{1}), feval (a{1}, [1 1; 1 1])));
  end
end
for f = two
  for a = classes
    for b = classes
      printf ("c %s %s %s %s\n", f{1}, a{1}, b{1}, class_of (str2func (f{1}), feval (a{1}, [1 1; 1 1]), feval (b{1}, [1 1; 1 1])));
    end
  end
end

for single_precision = 0:1
  x = [0; -0; 1; -1; 0.5; -0.5; 1.5; 2.5; -2.5; 3; -3; 2; 0.1; 0.3; -0.7; 1e-30; 5e-324; 1e300; -1e300; Inf; -Inf; NaN; NA;
       4503599627370497.5; 0.49999999999999994; 2147483648; -7; 127.5; -128.5; 1e-5; 65535.4; 300];
  if (single_precision)
    x = single (x);
  end
  for f = one
    for i = 1:numel (x)
      r = NaN;
      left = 0;
      try
        r = feval (f{1}, x(i));
        left = iscomplex (r);
      catch
        left = 1;
      end
      printf ("v %s %d %d %d %d %s\n", f{1}, single_precision, i, 1, left, bits (r));
    end
  end
  for f = two
    for j = 1:numel (x)
      left = zeros (size (x));
      if (any (strcmp (f{1}, {"power", "and", "or", "xor"})))
        r = zeros (size (x));
        for i = 1:numel (x)
          try
            v = feval (f{1}, x(i), x(j));
            left(i) = iscomplex (v);
            r(i) = real (v);
          catch
            left(i) = 1;
          end
        end
      else
        r = feval (f{1}, x, repmat (x(j), size (x)));
      end
      b = bits (r);
      for i = 1:numel (x)
        printf ("v %s %d %d %d %d %s\n", f{1}, single_precision, i, j, left(i), b(i,:));
      end
    end
  end
end
