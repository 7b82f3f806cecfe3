"""Syntax that the fixtures do not show, as the grammar published with Aroma reads it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.code.java.java import parse_java
from ncsbench.code.java_trees.java_refusals import is_java_8
from ncsbench.code.java_trees.java_spt import method_records
from ncsbench.code.java_trees.java_spt_rules import CLOSE, OPEN, Symbols
from tests.plain_spt import Leaf, fold

# Statements, then their tree: nodes in double brackets, variables marked by a star, the braces of
# the body left out. The trees follow from the Java 8 grammar and the converter of the reference.
TREES = r"""
x = (int) -x++;  =>  ⟦⟦x* = ⟦( int ) ⟦- ⟦x* ++⟧⟧⟧⟧ ;⟧
x = (int) (long) -x++;  =>  ⟦⟦x* = ⟦( int ) ⟦( long ) ⟦- ⟦x* ++⟧⟧⟧⟧⟧ ;⟧
x = (T) !a.b;  =>  ⟦⟦x* = ⟦( T ) ⟦! ⟦a* . b⟧⟧⟧⟧ ;⟧
x = -(int) -x++;  =>  ⟦⟦x* = ⟦- ⟦( int ) ⟦- ⟦x* ++⟧⟧⟧⟧⟧ ;⟧
x = ++x--;  =>  ⟦⟦x* = ⟦++ ⟦x* --⟧⟧⟧ ;⟧
x = -+~a++;  =>  ⟦⟦x* = ⟦- ⟦+ ⟦~ ⟦a* ++⟧⟧⟧⟧⟧ ;⟧
x = !a++;  =>  ⟦⟦x* = ⟦! ⟦a* ++⟧⟧⟧ ;⟧
x = ++a[1];  =>  ⟦⟦x* = ⟦++ ⟦a* [ 1 ]⟧⟧⟧ ;⟧
x = (A) b.c[1]++;  =>  ⟦⟦x* = ⟦⟦( A ) ⟦⟦b* . c⟧ [ 1 ]⟧⟧ ++⟧⟧ ;⟧
x = (A) -a * b;  =>  ⟦⟦x* = ⟦⟦( A )⟧ - ⟦a* * b*⟧⟧⟧ ;⟧
x = c * (a.b) - d.e() % 2;  =>  ⟦⟦x* = ⟦⟦c* * ⟦( ⟦a* . b⟧ )⟧⟧ - ⟦⟦d* . ⟦e ( )⟧⟧ % 2⟧⟧⟧ ;⟧
x = (A) (B) -c / d;  =>  ⟦⟦x* = ⟦⟦( A ) ⟦( B )⟧⟧ - ⟦c* / d*⟧⟧⟧ ;⟧
x = (A)++ + b * c;  =>  ⟦⟦x* = ⟦⟦⟦( A )⟧ ++⟧ + ⟦b* * c*⟧⟧⟧ ;⟧
x = (A<B>) -a * b;  =>  ⟦⟦x* = ⟦⟦( ⟦A ⟦< B >⟧⟧ ) ⟦- a*⟧⟧ * b*⟧⟧ ;⟧
x = (A[]) y;  =>  ⟦⟦x* = ⟦( ⟦A [ ]⟧ ) y*⟧⟧ ;⟧
x = (A) b -> c;  =>  ⟦⟦x* = ⟦( A ) ⟦b* -> c*⟧⟧⟧ ;⟧
x = (A) b ? c : d;  =>  ⟦⟦x* = ⟦⟦( A ) b*⟧ ? c* : d*⟧⟧ ;⟧
x = a + b instanceof C[] == d;  =>  ⟦⟦x* = ⟦⟦⟦a* + b*⟧ instanceof ⟦C [ ]⟧⟧ == d*⟧⟧ ;⟧
x = a < b == c > d || e & f;  =>  ⟦⟦x* = ⟦⟦⟦a* < b*⟧ == ⟦c* > d*⟧⟧ || ⟦e* & f*⟧⟧⟧ ;⟧
x = a >>> b << c + d;  =>  ⟦⟦x* = ⟦⟦a* > > > b*⟧ < < ⟦c* + d*⟧⟧⟧ ;⟧
a >>>= b <<= c;  =>  ⟦⟦a* >>>= ⟦b* <<= c*⟧⟧ ;⟧
a = b += c = d;  =>  ⟦⟦a* = ⟦b* += ⟦c* = d*⟧⟧⟧ ;⟧
a[i++] = b.c = e;  =>  ⟦⟦⟦a* [ ⟦i* ++⟧ ]⟧ = ⟦⟦b* . c⟧ = e*⟧⟧ ;⟧
a = b ? c : d = e;  =>  ⟦⟦a* = ⟦⟦b* ? c* : d*⟧ = e*⟧⟧ ;⟧
if (!a = b || c = d) ;  =>  ⟦if ⟦( ⟦⟦! a*⟧ = ⟦⟦b* || c*⟧ = d*⟧⟧ )⟧ ;⟧
x = a ? b : c ? d : e ? f : g;  =>  ⟦⟦x* = ⟦⟦⟦a* ? b* : c*⟧ ? d* : e*⟧ ? f* : g*⟧⟧ ;⟧
x = a ? b ? c : d : e;  =>  ⟦⟦x* = ⟦a* ? ⟦b* ? c* : d*⟧ : e*⟧⟧ ;⟧
x = a ? y -> b ? c : d : e;  =>  ⟦⟦x* = ⟦a* ? ⟦y* -> ⟦b* ? c* : d*⟧⟧ : e*⟧⟧ ;⟧
x = a ? b : y -> c = d;  =>  ⟦⟦x* = ⟦a* ? b* : ⟦y* -> ⟦c* = d*⟧⟧⟧⟧ ;⟧
x = a ? A::b : c ? D::e : F::g;  =>  ⟦⟦⟦x* = ⟦⟦a* ? ⟦A :: b⟧ : c*⟧ ? ⟦D :: e⟧ : F⟧⟧ :: g⟧ ;⟧
f = a = b + (A) !c::d;  =>  ⟦⟦⟦f* = ⟦a* = ⟦b* + ⟦( A ) ⟦! c*⟧⟧⟧⟧⟧ :: d⟧ ;⟧
f = a = b = A::new;  =>  ⟦⟦f* = ⟦a* = ⟦b* = ⟦A :: new⟧⟧⟧⟧ ;⟧
f = a.b::<C, D>e;  =>  ⟦⟦⟦f* = ⟦a* . b⟧⟧ :: ⟦< C , D >⟧ e⟧ ;⟧
f = a.B<C>.D::<E>new;  =>  ⟦⟦f* = ⟦⟦⟦a . B ⟦< C >⟧⟧ . D⟧ :: ⟦< E >⟧ new⟧⟧ ;⟧
f = a.b.C::<D>new;  =>  ⟦⟦f* = ⟦⟦⟦a . b⟧ . C⟧ :: ⟦< D >⟧ new⟧⟧ ;⟧
f = int[][]::clone;  =>  ⟦⟦f* = ⟦int [ ] [ ] :: clone⟧⟧ ;⟧
f = @N A::b;  =>  ⟦⟦f* = ⟦⟦⟦@ N⟧ A⟧ :: b⟧⟧ ;⟧
f = a.b[1]::c;  =>  ⟦⟦⟦f* = ⟦⟦a* . b⟧ [ 1 ]⟧⟧ :: c⟧ ;⟧
f = Outer.this::b;  =>  ⟦⟦⟦f* = ⟦Outer . this⟧⟧ :: b⟧ ;⟧
f = x -> A::b;  =>  ⟦⟦f* = ⟦x* -> ⟦A :: b⟧⟧⟧ ;⟧
a[B::c] = D::e;  =>  ⟦⟦⟦⟦a* [ ⟦B :: c⟧ ]⟧ = D⟧ :: e⟧ ;⟧
this.<A>f(1);  =>  ⟦⟦this . ⟦⟦< A >⟧ ⟦f ⟦( 1 )⟧⟧⟧⟧ ;⟧
this.<A, B>f(x, y);  =>  ⟦⟦this . ⟦⟦< ⟦A , B⟧ >⟧ ⟦f ⟦( ⟦x* , y*⟧ )⟧⟧⟧⟧ ;⟧
super.<A, B>f(x);  =>  ⟦⟦super . ⟦⟦< ⟦A , B⟧ >⟧ ⟦f ⟦( x* )⟧⟧⟧⟧ ;⟧
Outer.super.f(x).g();  =>  ⟦⟦⟦Outer . super ⟦. f ⟦( x* )⟧⟧⟧ . ⟦g ( )⟧⟧ ;⟧
x = a.Outer.super.f.g;  =>  ⟦⟦x* = ⟦⟦⟦a* . Outer⟧ . super ⟦. f⟧⟧ . g⟧⟧ ;⟧
a.<A[], B<C>>f().g();  =>  ⟦⟦⟦a* . ⟦⟦< ⟦⟦A [ ]⟧ , ⟦B ⟦< C >⟧⟧⟧ >⟧ ⟦f ( )⟧⟧⟧ . ⟦g ( )⟧⟧ ;⟧
x = new <A, B> C<D>(x, y) {};  =>  ⟦⟦x* = ⟦new ⟦⟦< ⟦A , B⟧ >⟧ ⟦C ⟦< D >⟧⟧ ⟦⟦( ⟦x* , y*⟧ )⟧ ⟦{ }⟧⟧⟧⟧⟧ ;⟧
x = new A<B>.C<D, E>();  =>  ⟦⟦x* = ⟦new ⟦⟦A ⟦< B >⟧ . C ⟦< D , E >⟧⟧ ( )⟧⟧⟧ ;⟧
x = a.new <B, C> D<E, F>(x);  =>  ⟦⟦x* = ⟦a* . new ⟦< ⟦B , C⟧ >⟧ ⟦D ⟦< ⟦E , F⟧ >⟧ ⟦( x* )⟧⟧⟧⟧ ;⟧
x = a().new B<>() { int y; };  =>  ⟦⟦x* = ⟦⟦a ( )⟧ . new ⟦B < > ⟦( ) ⟦{ ⟦int y* ;⟧ }⟧⟧⟧⟧⟧ ;⟧
x = new int[][] {{1,}, {2, 3,},}[0];  =>  ⟦⟦x* = ⟦⟦new ⟦int ⟦[ ] [ ] ⟦{ ⟦{ 1 , }⟧ , ⟦{ 2 , 3 , }⟧ , }⟧⟧⟧⟧ [ 0 ]⟧⟧ ;⟧
x = new a.B<C>[n][1][];  =>  ⟦⟦x* = ⟦new ⟦⟦a . B ⟦< C >⟧⟧ ⟦[ n* ] [ 1 ] [ ]⟧⟧⟧⟧ ;⟧
List<? extends List<? super a.B[]>>[] x;  =>  ⟦⟦⟦⟦List ⟦< ⟦? extends ⟦List ⟦< ⟦? super ⟦⟦a . B⟧ [ ]⟧⟧ >⟧⟧⟧ >⟧⟧ [ ]⟧ x*⟧ ;⟧
Outer<A>.Inner<B, C>[] x;  =>  ⟦⟦⟦⟦Outer ⟦< A >⟧ . Inner ⟦< B , C >⟧⟧ [ ]⟧ x*⟧ ;⟧
@a.N(b = @M({1, 2,}), c = {}) final int x;  =>  ⟦⟦⟦@ ⟦a . N⟧ ( ⟦⟦b = ⟦@ M ( ⟦{ 1 , 2 , }⟧ )⟧⟧ , ⟦c = ⟦{ }⟧⟧⟧ )⟧ final int x*⟧ ;⟧
@N({@M, @O(x)}) List<@P A> x;  =>  ⟦⟦⟦@ N ( ⟦{ ⟦@ M⟧ , ⟦@ O ( x* )⟧ }⟧ )⟧ ⟦List ⟦< ⟦⟦@ P⟧ A⟧ >⟧⟧ x*⟧ ;⟧
@N(A.B ? c : d.class) int x;  =>  ⟦⟦⟦@ N ( ⟦⟦A . B⟧ ? c* : ⟦d . class⟧⟧ )⟧ int x*⟧ ;⟧
int a[] = {}, b;  =>  ⟦⟦int ⟦⟦⟦a* [ ]⟧ = ⟦{ }⟧⟧ , b*⟧⟧ ;⟧
int[] a[] = {{1, 2,}, {x}}, b[][];  =>  ⟦⟦int [ ] ⟦⟦⟦a* [ ]⟧ = ⟦{ ⟦{ 1 , 2 , }⟧ , ⟦{ x* }⟧ }⟧⟧ , ⟦b* [ ] [ ]⟧⟧⟧ ;⟧
A a = {B::c, x -> y};  =>  ⟦⟦A ⟦a* = ⟦{ ⟦B :: c⟧ , ⟦x* -> y*⟧ }⟧⟧⟧ ;⟧
A a = b = C::d;  =>  ⟦⟦A ⟦a* = ⟦⟦b* = C⟧ :: d⟧⟧⟧ ;⟧
f = (a, b) -> {};  =>  ⟦⟦f* = ⟦⟦( a* , b* )⟧ -> ⟦{ }⟧⟧⟧ ;⟧
f = (final @N A a, int... b) -> c;  =>  ⟦⟦f* = ⟦⟦( ⟦⟦final ⟦@ N⟧ A a*⟧ , ⟦int ... b*⟧⟧ )⟧ -> c*⟧⟧ ;⟧
f = () -> { return; };  =>  ⟦⟦f* = ( ) -> { return ; }⟧ ;⟧
f((A) () -> null, x -> y -> z);  =>  ⟦⟦f ( ⟦⟦( A ) ( ) -> null⟧ , ⟦x* -> ⟦y* -> z*⟧⟧⟧ )⟧ ;⟧
L: M: for (;;) continue M;  =>  ⟦L : ⟦M : ⟦for ( ; ; ) ⟦continue M ;⟧⟧⟧⟧
L: switch (a) {};  =>  ⟦L : ⟦switch ⟦( a* )⟧ { }⟧⟧ ;
if (a) switch (b) {}; f();  =>  ⟦if ⟦( a* )⟧ ⟦switch ⟦( b* )⟧ { }⟧⟧ ; ⟦⟦f ( )⟧ ;⟧
{} ; {;} {{}}  =>  ⟦{ }⟧ ; { ; } ⟦{ ⟦{ }⟧ }⟧
if (a) if (b) c(); else {}  =>  ⟦if ⟦( a* )⟧ ⟦if ⟦( b* )⟧ ⟦⟦c ( )⟧ ;⟧ else ⟦{ }⟧⟧⟧
do x++; while (x < 1);  =>  ⟦do ⟦⟦x* ++⟧ ;⟧ while ⟦( ⟦x* < 1⟧ )⟧ ;⟧
for (;;) ;  =>  for ( ; ; ) ;
for (;; a++, b++) f();  =>  ⟦for ( ⟦; ; ⟦⟦a* ++⟧ , ⟦b* ++⟧⟧⟧ ) ⟦⟦f ( )⟧ ;⟧⟧
for (int a[] = {}, b; c; d()) ;  =>  ⟦for ( ⟦⟦int ⟦⟦⟦a* [ ]⟧ = ⟦{ }⟧⟧ , b*⟧⟧ ; c* ; ⟦d ( )⟧⟧ ) ;⟧
for (a = 1, b = 2;;) f();  =>  ⟦for ( ⟦⟦⟦a* = 1⟧ , ⟦b* = 2⟧⟧ ; ;⟧ ) ⟦⟦f ( )⟧ ;⟧⟧
for (final List<A>[] a[] : b ? c : d) ;  =>  ⟦for ( ⟦final ⟦⟦List ⟦< A >⟧⟧ [ ]⟧ ⟦a* [ ]⟧ : ⟦b* ? c* : d*⟧⟧ ) ;⟧
synchronized (this) { assert a ? b : c : "d"; }  =>  ⟦synchronized ( this ) ⟦{ ⟦assert ⟦a* ? b* : c*⟧ : "d" ;⟧ }⟧⟧
switch (a) {}  =>  ⟦switch ⟦( a* )⟧ { }⟧
switch (a) { case 1: case A.b: }  =>  ⟦switch ⟦( a* )⟧ { ⟦case 1 :⟧ ⟦case ⟦A . b⟧ :⟧ }⟧
switch (a) { case 1: default: f(); break; case 'c': g(); }  =>  ⟦switch ⟦( a* )⟧ { ⟦⟦case 1 :⟧ default : ⟦⟦f ( )⟧ ;⟧ break ;⟧ ⟦⟦case 'c' :⟧ ⟦⟦g ( )⟧ ;⟧⟧ }⟧
switch (a) { default: case b: {} case 2: case -3: }  =>  ⟦switch ⟦( a* )⟧ { ⟦default : ⟦case b* :⟧ ⟦{ }⟧⟧ ⟦case 2 :⟧ ⟦case ⟦- 3⟧ :⟧ }⟧
switch (a) { case 1: switch (b) {}; break; }  =>  ⟦switch ⟦( a* )⟧ { ⟦⟦case 1 :⟧ ⟦switch ⟦( b* )⟧ { }⟧ ; break ;⟧ }⟧
switch (a) { case 1: switch (b) { case 2: f(); } default: }  =>  ⟦switch ⟦( a* )⟧ { ⟦⟦case 1 :⟧ ⟦switch ⟦( b* )⟧ { ⟦⟦case 2 :⟧ ⟦⟦f ( )⟧ ;⟧⟧ }⟧⟧ default : }⟧
switch (a) { case 1: int x = 1; class D {} }  =>  ⟦switch ⟦( a* )⟧ { ⟦⟦case 1 :⟧ ⟦⟦int ⟦x* = 1⟧⟧ ;⟧ ⟦class D ⟦{ }⟧⟧⟧ }⟧
try { f(); } catch (@N final a.A | B e) {} finally { return; }  =>  ⟦try ⟦{ ⟦⟦f ( )⟧ ;⟧ }⟧ ⟦catch ( ⟦@ N⟧ final ⟦⟦a . A⟧ | B⟧ e* ) ⟦{ }⟧⟧ finally { return ; }⟧
try (final a.A<B> b = c; D d[] = e;) {} catch (E E) {}  =>  ⟦try ⟦( ⟦⟦final ⟦a . A ⟦< B >⟧⟧ b* = c*⟧ ; ⟦D ⟦d* [ ]⟧ = e*⟧⟧ ; )⟧ ⟦{ }⟧ ⟦catch ( E E ) ⟦{ }⟧⟧⟧
x = 'c' + '\'' + "// \" /* */" + 1_0L + 0x1.8p-1f + .5e1;  =>  ⟦⟦x* = ⟦⟦⟦⟦⟦'c' + '\''⟧ + "// \" /* */"⟧ + 1_0L⟧ + 0x1.8p-1f⟧ + .5e1⟧⟧ ;⟧
x = null == true != -1.f;  =>  ⟦⟦x* = ⟦⟦null == true⟧ != ⟦- 1.f⟧⟧⟧ ;⟧
x = void.class == int[][].class;  =>  ⟦⟦x* = void . class == int [ ] [ ] . class⟧ ;⟧
x = a.b.C[].class.d();  =>  ⟦⟦x* = ⟦⟦⟦⟦a . b . C⟧ [ ]⟧ . class⟧ . ⟦d ( )⟧⟧⟧ ;⟧
été = ß.日本;  =>  ⟦⟦été* = ⟦ß* . 日本⟧⟧ ;⟧
var var = record.when(yield);  =>  ⟦⟦var ⟦var* = ⟦record* . ⟦when ( yield* )⟧⟧⟧⟧ ;⟧
class D { D() { this(null); } }  =>  ⟦class D ⟦{ ⟦D ( ) { this ( null ) ; }⟧ }⟧⟧
class D { D() { <A, B>this(x); } }  =>  ⟦class D ⟦{ ⟦D ( ) ⟦{ ⟦⟦⟦< ⟦A , B⟧ >⟧ this ⟦( x* )⟧⟧ ;⟧ }⟧⟧ }⟧⟧
class D { D() { super(x, y); } }  =>  ⟦class D ⟦{ ⟦D ( ) ⟦{ ⟦⟦super ( ⟦x* , y*⟧ )⟧ ;⟧ }⟧⟧ }⟧⟧
class D { D() { <A>super(x); } }  =>  ⟦class D ⟦{ ⟦D ( ) ⟦{ ⟦⟦⟦< A >⟧ ⟦super ⟦( x* )⟧⟧⟧ ;⟧ }⟧⟧ }⟧⟧
class D { D() { a.b.super(x, y); } }  =>  ⟦class D ⟦{ ⟦D ( ) ⟦{ ⟦⟦⟦a* . b⟧ . ⟦super ( ⟦x* , y*⟧ )⟧⟧ ;⟧ }⟧⟧ }⟧⟧
class D { D() { a().<A, B>super(x); } }  =>  ⟦class D ⟦{ ⟦D ( ) ⟦{ ⟦⟦⟦a ( )⟧ . ⟦⟦< ⟦A , B⟧ >⟧ ⟦super ⟦( x* )⟧⟧⟧⟧ ;⟧ }⟧⟧ }⟧⟧
class D<@N T extends A<T> & B, U> extends a.C<D>.E implements F<T>, G {}  =>  ⟦class D ⟦< ⟦⟦@ N⟧ T extends ⟦⟦A ⟦< T >⟧⟧ & B⟧⟧ , U >⟧ extends ⟦a . C ⟦< D >⟧ . E⟧ implements ⟦⟦F ⟦< T >⟧⟧ , G⟧ ⟦{ }⟧⟧
class D { @N private int x = 1, y[]; ; int[] z() throws a.E, F; }  =>  ⟦class D ⟦{ ⟦⟦@ N⟧ private ⟦int ⟦⟦x* = 1⟧ , ⟦y* [ ]⟧⟧ ;⟧⟧ ; ⟦int [ ] z ( ) throws ⟦⟦a . E⟧ , F⟧ ;⟧ }⟧⟧
class D { <T> D(T t) {} @N public <T, U> T f(U... u)[] {} }  =>  ⟦class D ⟦{ ⟦⟦< T >⟧ ⟦D ⟦( ⟦T t*⟧ )⟧ ⟦{ }⟧⟧⟧ ⟦⟦@ N⟧ public ⟦⟦< T , U >⟧ ⟦T f ⟦( ⟦U ... u*⟧ )⟧ [ ] ⟦{ }⟧⟧⟧⟧ }⟧⟧
class D { <T> @N A[] f() {} }  =>  ⟦class D ⟦{ ⟦⟦< T >⟧ ⟦⟦⟦@ N⟧ A [ ]⟧ f ( ) ⟦{ }⟧⟧⟧ }⟧⟧
class D { { f(); } static { x = y; } static class E {} }  =>  ⟦class D ⟦{ ⟦{ ⟦⟦f ( )⟧ ;⟧ }⟧ ⟦static ⟦{ ⟦⟦x* = y*⟧ ;⟧ }⟧⟧ ⟦static ⟦class E ⟦{ }⟧⟧⟧ }⟧⟧
class D { enum E {} }  =>  ⟦class D ⟦{ ⟦enum E { }⟧ }⟧⟧
class D { private enum E { A, } }  =>  ⟦class D ⟦{ ⟦private ⟦enum E { A , }⟧⟧ }⟧⟧
class D { enum E { ; int x; } }  =>  ⟦class D ⟦{ ⟦enum E { ⟦; ⟦int x* ;⟧⟧ }⟧ }⟧⟧
class D { enum E { @N A(1) { void f() {} }, b { }, C(X::y),; E() {} } }  =>  ⟦class D ⟦{ ⟦enum E { ⟦⟦⟦@ N⟧ A ⟦( 1 )⟧ ⟦{ ⟦void f ( ) ⟦{ }⟧⟧ }⟧⟧ , ⟦b ⟦{ }⟧⟧ , ⟦C ⟦( ⟦X :: y⟧ )⟧⟧⟧ , ⟦; ⟦E ( ) ⟦{ }⟧⟧⟧ }⟧ }⟧⟧
class D { static enum E implements F, G { A, B; static { f(); } } }  =>  ⟦class D ⟦{ ⟦static ⟦enum E implements ⟦F , G⟧ { ⟦A , B⟧ ⟦; ⟦static ⟦{ ⟦⟦f ( )⟧ ;⟧ }⟧⟧⟧ }⟧⟧ }⟧⟧
class D { @interface E { int x(); } }  =>  ⟦class D ⟦{ ⟦@ interface E ⟦{ ⟦int ⟦x ( )⟧ ;⟧ }⟧⟧ }⟧⟧
class D { public @interface E { @N int[] x() default {1, 2,}; A y() default @B; } }  =>  ⟦class D ⟦{ ⟦public ⟦@ interface E ⟦{ ⟦⟦@ N⟧ ⟦int [ ] ⟦x ( ) ⟦default ⟦{ 1 , 2 , }⟧⟧⟧ ;⟧⟧ ⟦A ⟦y ( ) ⟦default ⟦@ B⟧⟧⟧ ;⟧ }⟧⟧⟧ }⟧⟧
class D { @interface E { int X = 1, y; class F {}; enum G { A } } }  =>  ⟦class D ⟦{ ⟦@ interface E ⟦{ ⟦int ⟦⟦X = 1⟧ , y*⟧ ;⟧ ⟦⟦class F ⟦{ }⟧⟧ ;⟧ ⟦enum G { A }⟧ }⟧⟧ }⟧⟧
interface E extends F, G { int x[] = {}, Y = 1; A a = b = C::d; }  =>  ⟦interface E extends ⟦F , G⟧ ⟦{ ⟦int ⟦x [ ] = ⟦{ }⟧⟧ , ⟦Y = 1⟧ ;⟧ ⟦A ⟦a = ⟦⟦b* = C⟧ :: d⟧⟧ ;⟧ }⟧⟧
class D { interface E { public default int f() { return x; } } }  =>  ⟦class D ⟦{ ⟦interface E ⟦{ ⟦public ⟦default int f ( ) ⟦{ ⟦return x* ;⟧ }⟧⟧⟧ }⟧⟧ }⟧⟧
class D { interface E { @N default public void f(); static void g() {} } }  =>  ⟦class D ⟦{ ⟦interface E ⟦{ ⟦⟦@ N⟧ ⟦default public void f ( ) ;⟧⟧ ⟦static ⟦void g ( ) ⟦{ }⟧⟧⟧ }⟧⟧ }⟧⟧
class D { interface E { <T> void f(T t); public static <T, U> T g(); } }  =>  ⟦class D ⟦{ ⟦interface E ⟦{ ⟦⟦< T >⟧ void f ⟦( ⟦T t*⟧ )⟧ ;⟧ ⟦public static ⟦⟦< T , U >⟧ T g ( ) ;⟧⟧ }⟧⟧ }⟧⟧
class D { interface E { @N default <T> @M T f() { g(); } class F {} } }  =>  ⟦class D ⟦{ ⟦interface E ⟦{ ⟦⟦@ N⟧ ⟦default ⟦< T >⟧ ⟦@ M⟧ T f ( ) ⟦{ ⟦⟦g ( )⟧ ;⟧ }⟧⟧⟧ ⟦class F ⟦{ }⟧⟧ }⟧⟧ }⟧⟧
"""  # noqa: E501

READINGS = [tuple(line.split("  =>  ")) for line in TREES.strip().split("\n")]


def spelled(item: object) -> str:
    if isinstance(item, list):
        return f"⟦{' '.join(map(spelled, item[1:]))}⟧"
    return item.text + "*" * item.is_variable if isinstance(item, Leaf) else str(item)


def tree_of(statements: str) -> str:
    tree = parse_java(f"class C {{ void m() {{\n{statements}\n}} }}".encode())
    symbols = Symbols()
    record = method_records(tree, symbols)[0]
    return spelled(fold(record.codes, symbols))[3:-3]


@pytest.mark.parametrize(("statements", "expected"), READINGS)
def test_trees_are_those_of_the_grammar(statements: str, expected: str) -> None:
    assert tree_of(statements) == expected
    assert is_java_8(parse_java(f"class C {{ void m() {{\n{statements}\n}} }}".encode()))


@pytest.mark.parametrize(
    "statements",
    [
        "super(x);",
        "f(); this(x);",
        "class D { D() { f(); super(); } }",
        "<A>f(x);",
        "x = 0_7;",
        "x = 1__0;",
        "f() = x;",
    ],
)
def test_what_tree_sitter_takes_for_an_error_dev_26(statements: str) -> None:
    root = parse_java(f"class C {{ void m() {{ {statements} }} }}".encode()).root_node
    assert root.has_error


@pytest.mark.parametrize(
    ("statements", "ours", "of_the_reference"),
    [
        ("x = a::b.c;", "⟦⟦x* = ⟦⟦a* :: b⟧ . c⟧⟧ ;⟧", "⟦⟦⟦⟦x* = a*⟧ :: b⟧ . c⟧ ;⟧"),
        ("yield x;", "⟦yield x* ;⟧", "⟦⟦yield x*⟧ ;⟧"),
        (
            "f = A.B.@N C::new;",
            "⟦⟦f* = ⟦⟦A . B . ⟦@ N⟧ C⟧ :: new⟧⟧ ;⟧",
            "⟦⟦f* = ⟦⟦⟦A . B⟧ . ⟦@ N⟧ C⟧ :: new⟧⟧ ;⟧",
        ),
        (
            "switch (a) { case f(): }",
            "⟦switch ⟦( a* )⟧ { ⟦case ⟦f* ( )⟧ :⟧ }⟧",
            "⟦switch ⟦( a* )⟧ { ⟦case ⟦f ( )⟧ :⟧ }⟧",
        ),
    ],
)
def test_rare_constructs_are_read_otherwise_dev_27(
    statements: str, ours: str, of_the_reference: str
) -> None:
    assert tree_of(statements) == ours != of_the_reference


TOKENS = [re.findall(r"\w+|\S", statements) for statements, _ in READINGS]
EDITS = st.lists(
    st.tuples(st.sampled_from("-+="), st.integers(0, 99), st.integers(0, 99)), max_size=6
)


@settings(max_examples=300)
@given(st.sampled_from(TOKENS), st.sampled_from(TOKENS), EDITS)
def test_broken_bodies_give_balanced_codes(
    tokens: list[str], others: list[str], edits: list[tuple[str, int, int]]
) -> None:
    """``-`` deletes a token, ``+`` puts one in from another body, ``=`` doubles one."""
    tokens = tokens.copy()
    for edit, place, source in edits:
        if edit == "-":
            del tokens[place : place + 1]
        else:
            new = others if edit == "+" else tokens or others
            tokens.insert(place, new[source % len(new)])
    tree = parse_java(f"class C {{ void m() {{ {' '.join(tokens)} }} }}".encode())
    for record in method_records(tree, Symbols()):
        depth = 0
        for code in record.codes[:-1]:
            depth += (code == OPEN) - (code == CLOSE)
            assert depth > 0
        assert depth == 1
        assert record.codes[-1] == CLOSE
